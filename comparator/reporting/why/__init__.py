"""Why one candidate wins: criteria, expectations, reasons, slices, and how the outputs differ."""
