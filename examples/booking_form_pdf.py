"""The room booking form as PDF, blank or filled in, written byte by byte."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Box:
    """A rectangle in points (1/72 inch), measured from the lower left corner of the page."""

    x: float
    y: float
    width: float
    height: float

    def shifted(self, dx: float, dy: float) -> "Box":
        """Return the same rectangle elsewhere."""
        return Box(self.x + dx, self.y + dy, self.width, self.height)

    def corners(self) -> str:
        """Return the rectangle as PDF writes it: left, bottom, right, top."""
        return f"[{self.x:g} {self.y:g} {self.x + self.width:g} {self.y + self.height:g}]"


@dataclass(frozen=True)
class TextField:
    """A printed box for text with its label above."""

    name: str
    label: str
    box: Box


@dataclass(frozen=True)
class CheckBox:
    """A small printed square with its label to the right."""

    name: str
    label: str
    x: float
    y: float

    @property
    def box(self) -> Box:
        """The printed square."""
        return Box(self.x, self.y, 12, 12)


@dataclass(frozen=True)
class Entry:
    """What is written into a text field: lines, size in points, and how far it lies off the printed box."""

    lines: tuple[str, ...] = ()
    size: float = 11
    dx: float = 0
    dy: float = 0
    wider: float = 0


@dataclass(frozen=True)
class Filling:
    """One filled form: entries by field name, and how far each mark lies off its square."""

    entries: Mapping[str, Entry] = field(default_factory=dict)
    ticks: Mapping[str, tuple[float, float]] = field(default_factory=dict)


TEXT_FIELDS = (
    TextField("organisation", "Organisation", Box(50, 672, 240, 24)),
    TextField("email", "E-mail", Box(305, 672, 240, 24)),
    TextField("event", "Event", Box(50, 614, 240, 24)),
    TextField("people", "Number of people", Box(305, 614, 110, 24)),
    TextField("date", "Date (DD/MM/YYYY)", Box(50, 556, 110, 24)),
    TextField("start", "From", Box(180, 556, 110, 24)),
    TextField("end", "To", Box(305, 556, 110, 24)),
    TextField("notes", "Notes for the house", Box(50, 330, 495, 70)),
)
CHECK_BOXES = (
    CheckBox("room_hall", "Hall", 50, 500),
    CheckBox("room_studio", "Studio", 180, 500),
    CheckBox("room_meeting", "Meeting room", 305, 500),
    CheckBox("need_projector", "Projector", 50, 440),
    CheckBox("need_microphone", "Microphone", 180, 440),
    CheckBox("need_piano", "Piano", 305, 440),
)
HEADINGS = (("Room", 50, 520), ("Equipment", 50, 460), ("Signature", 50, 276))

# Fixed places, so that the references below can be written down.
CATALOG, PAGES, PAGE, CONTENT, PLAIN, BOLD, FIRST_FIELD = 1, 2, 3, 4, 5, 6, 7
FONTS = f"<< /Font << /Helv {PLAIN} 0 R /HeBo {BOLD} 0 R >> >>"


def booking_form(filling: Filling) -> bytes:
    """Return the form as a PDF with one page, real form fields and an appearance for each of them."""
    fields, appearances = _fields(filling)
    widgets = " ".join(f"{FIRST_FIELD + n} 0 R" for n in range(len(fields)))
    form = f"<< /Fields [{widgets}] /DR {FONTS} /DA (/Helv 11 Tf 0 g) >>"
    sheet = f"/MediaBox [0 0 595 842] /Resources {FONTS}"
    objects = [
        f"<< /Type /Catalog /Pages {PAGES} 0 R /Lang (en) /AcroForm {form} >>",
        f"<< /Type /Pages /Kids [{PAGE} 0 R] /Count 1 >>",
        f"<< /Type /Page /Parent {PAGES} 0 R {sheet} /Contents {CONTENT} 0 R /Annots [{widgets}] >>",
        _stream("", _printed_form()),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>",
        *fields,
        *appearances,
    ]
    return _file(objects)


def _fields(filling: Filling) -> tuple[list[str], list[str]]:
    """Return the field objects and, numbered after them, their appearances."""
    fields: list[str] = []
    appearances: list[str] = []
    next_appearance = FIRST_FIELD + len(TEXT_FIELDS) + len(CHECK_BOXES)
    for text_field in TEXT_FIELDS:
        entry = filling.entries.get(text_field.name, Entry())
        box = text_field.box.shifted(entry.dx, entry.dy)
        box = Box(box.x, box.y, box.width + entry.wider, box.height)
        multiline = " /Ff 4096" if text_field.name == "notes" else ""
        fields.append(
            f"<< /Type /Annot /Subtype /Widget /FT /Tx /T ({text_field.name}) /TU ({text_field.label})"
            f" /V ({_escaped(' '.join(entry.lines))}) /DA (/Helv {entry.size:g} Tf 0 g){multiline} /F 4"
            f" /P {PAGE} 0 R /Rect {box.corners()} /AP << /N {next_appearance} 0 R >> >>"
        )
        appearances.append(_text_appearance(entry, box))
        next_appearance += 1
    for check_box in CHECK_BOXES:
        ticked = check_box.name in filling.ticks
        box = check_box.box.shifted(*filling.ticks.get(check_box.name, (0, 0)))
        state = "Yes" if ticked else "Off"
        fields.append(
            f"<< /Type /Annot /Subtype /Widget /FT /Btn /T ({check_box.name}) /TU ({check_box.label})"
            f" /V /{state} /AS /{state} /F 4 /P {PAGE} 0 R /Rect {box.corners()}"
            f" /AP << /N << /Yes {next_appearance} 0 R /Off {next_appearance + 1} 0 R >> >> >>"
        )
        square = f"/Type /XObject /Subtype /Form /BBox [0 0 12 12] /Resources {FONTS}"
        # A letter and not a drawn mark, so that programs that read only the text see it too.
        appearances.append(_stream(square, "BT /HeBo 12 Tf 0 g 2 1.7 Td (X) Tj ET"))
        appearances.append(_stream(square, ""))
        next_appearance += 2
    return fields, appearances


def _text_appearance(entry: Entry, box: Box) -> str:
    top = box.height - entry.size - 4 if box.height > 30 else (box.height - entry.size) / 2 + 2
    lines = f" 0 {-1.3 * entry.size:g} Td ".join(f"({_escaped(line)}) Tj" for line in entry.lines)
    written = f"BT /Helv {entry.size:g} Tf 0 g 5 {top:g} Td {lines} ET" if lines else ""
    clip = f"1 1 {box.width - 2:g} {box.height - 2:g} re W n"
    return _stream(
        f"/Type /XObject /Subtype /Form /BBox [0 0 {box.width:g} {box.height:g}] /Resources {FONTS}",
        f"/Tx BMC q {clip} {written} Q EMC",
    )


def _printed_form() -> str:
    """Return what is printed on the blank sheet: title, labels, boxes."""
    parts = [
        "0.16 0.28 0.42 rg 0 760 595 82 re f",
        "1 g BT /HeBo 22 Tf 50 800 Td (Room booking request) Tj ET",
        "BT /Helv 11 Tf 50 778 Td (Demo Culture House, Test Square 3) Tj ET",
        "0 g BT /Helv 9 Tf 50 730 Td (Please fill in every box. Times with 24 hours.) Tj ET",
        "0.4 G 0.8 w",
    ]
    for text_field in TEXT_FIELDS:
        box = text_field.box
        parts.append(f"{box.x:g} {box.y:g} {box.width:g} {box.height:g} re S")
        parts.append(
            f"BT /HeBo 9 Tf {box.x:g} {box.y + box.height + 5:g} Td ({_escaped(text_field.label)}) Tj ET"
        )
    for check_box in CHECK_BOXES:
        parts.append(f"{check_box.x:g} {check_box.y:g} 12 12 re S")
        parts.append(f"BT /Helv 11 Tf {check_box.x + 19:g} {check_box.y + 2:g} Td ({check_box.label}) Tj ET")
    parts.extend(f"BT /HeBo 9 Tf {x} {y} Td ({heading}) Tj ET" for heading, x, y in HEADINGS)
    parts.append("50 240 m 290 240 l S")
    return "\n".join(parts)


def _escaped(text: str) -> str:
    return text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")


def _stream(entries: str, content: str) -> str:
    return f"<< {entries} /Length {len(content.encode('cp1252'))} >>\nstream\n{content}\nendstream"


def _file(objects: list[str]) -> bytes:
    """Return header, numbered objects, cross-reference table and trailer; no Info, no date, no id."""
    written = bytearray(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
    offsets = []
    for number, body in enumerate(objects, start=1):
        offsets.append(len(written))
        written += f"{number} 0 obj\n{body}\nendobj\n".encode("cp1252")
    table_at = len(written)
    table = "".join(f"{offset:010d} 00000 n \n" for offset in offsets)
    written += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}".encode()
    root = f"<< /Size {len(objects) + 1} /Root {CATALOG} 0 R >>"
    written += f"trailer\n{root}\nstartxref\n{table_at}\n%%EOF\n".encode()
    return bytes(written)
