import unittest

from durations import DurationError, parse


class ParseTest(unittest.TestCase):
    def test_single_units(self):
        self.assertEqual(parse("45s"), 45)
        self.assertEqual(parse("2m"), 120)
        self.assertEqual(parse("3h"), 10_800)
        self.assertEqual(parse("1d"), 86_400)

    def test_several_units(self):
        self.assertEqual(parse("1h 30m"), 5_400)
        self.assertEqual(parse("1d 2h 3m 4s"), 93_784)

    def test_spaces_are_optional(self):
        self.assertEqual(parse("1h30m"), 5_400)

    def test_empty_text_is_refused(self):
        with self.assertRaises(DurationError):
            parse("")

    def test_text_without_a_number_is_refused(self):
        with self.assertRaises(DurationError):
            parse("soon")
