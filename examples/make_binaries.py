"""Write the examples' PDF and XLSX files: python examples/make_binaries.py [FOLDER]."""

import sys
from pathlib import Path

from booking_form_pdf import Entry, Filling, booking_form
from workshop_budget_xlsx import linked_budget, typed_budget

COMMON = {
    "organisation": Entry(("Demo Gardening Circle",)),
    "email": Entry(("office@garden.example",)),
    "event": Entry(("Plants for dry summers",)),
    "people": Entry(("60",)),
    "start": Entry(("18:30",)),
    "end": Entry(("21:00",)),
}
ONE_LONG_LINE = (
    "Doors open at 17:45 for setting up, projector and microphone ready; one guest uses a wheelchair, please"
    " keep a place in the first row free"
)
TICKS = {"room_hall": (0.0, 0.0), "need_projector": (0.0, 0.0), "need_microphone": (0.0, 0.0)}

# The right date, badly set: text over the edges of its boxes, a mark beside its square, notes cut off.
BADLY_SET = Filling(
    entries=COMMON
    | {
        "organisation": Entry(("Demo Gardening Circle",), dy=9),
        "event": Entry(('Evening talk "Plants for dry summers"',), size=15, wider=60),
        "date": Entry(("04/03/2027",), size=15, dy=-7),
        "notes": Entry((ONE_LONG_LINE,)),
    },
    ticks=TICKS | {"need_microphone": (7.0, -6.0)},
)
# Neatly set, but day and month of the date have changed places.
WRONG_DATE = Filling(
    entries=COMMON
    | {
        "date": Entry(("03/04/2027",)),
        "notes": Entry(
            (
                "Please open the doors at 17:45 so that we can set up.",
                "One guest uses a wheelchair: please keep a place in the first row free.",
            )
        ),
    },
    ticks=TICKS,
)


def binaries() -> dict[str, bytes]:
    """Return the content of each generated file by its path inside examples/."""
    return {
        "booking-form/inputs/blank-form.pdf": booking_form(Filling()),
        "booking-form/a/booking-form.pdf": booking_form(BADLY_SET),
        "booking-form/b/booking-form.pdf": booking_form(WRONG_DATE),
        "workshop-budget/a/budget.xlsx": typed_budget(),
        "workshop-budget/b/budget.xlsx": linked_budget(),
    }


def main(folder: Path) -> None:
    """Write all generated files below a folder."""
    for path, content in binaries().items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent)
