import unittest

from durations import DurationError, format_duration


class FormatTest(unittest.TestCase):
    def test_largest_unit_comes_first(self):
        self.assertEqual(format_duration(5_400), "1h 30m")

    def test_zero_parts_are_left_out(self):
        self.assertEqual(format_duration(86_401), "1d 1s")

    def test_zero(self):
        self.assertEqual(format_duration(0), "0s")

    def test_negative_number_is_refused(self):
        with self.assertRaises(DurationError):
            format_duration(-1)
