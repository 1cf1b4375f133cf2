import unittest

from durations import DurationError, format_duration, parse


class DurationsTest(unittest.TestCase):
    def test_parse(self):
        for text, seconds in (("45s", 45), ("1h 30m", 5400), ("1h30m", 5400), ("1d 2h 3m 4s", 93784)):
            with self.subTest(text=text):
                self.assertEqual(parse(text), seconds)

    def test_parse_refuses_everything_else(self):
        for text in ("", "soon", "5", "5m banana", "30m 1h", "1h 1h", "-5m", "1.5h", "5 x"):
            with self.subTest(text=text), self.assertRaises(DurationError):
                parse(text)

    def test_format(self):
        for seconds, text in ((0, "0s"), (59, "59s"), (5400, "1h 30m"), (86401, "1d 1s")):
            with self.subTest(seconds=seconds):
                self.assertEqual(format_duration(seconds), text)

    def test_format_refuses_negative_numbers(self):
        with self.assertRaises(DurationError):
            format_duration(-1)

    def test_there_and_back(self):
        for seconds in range(0, 200_000, 37):
            self.assertEqual(parse(format_duration(seconds)), seconds)
