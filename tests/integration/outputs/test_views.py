"""Two outputs become two views under the same rules: order, names, set-aside files, redaction, budget."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from pathlib import Path

import pypdfium2
import pytest

from comparator.domain.blinding.leak_patterns import patterns_for
from comparator.domain.blinding.scan import Where, scan, suggested_redactions
from comparator.domain.labels import Label, PerOutput
from comparator.domain.pair.view import DocumentBlock, Family, OutputView
from comparator.judges.tools.examination import MOST_PICTURES
from comparator.outputs.limits import OutputBudget
from comparator.outputs.snapshot.take import RefusedMember, Snapshot
from comparator.outputs.view.build import scan_texts
from tests.worlds.files import outputs_pdf
from tests.worlds.files.outputs import World, picture
from tests.worlds.files.outputs_markers import every_family
from tests.worlds.files.outputs_office import docx


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path / "blobs")


def _texts(view: OutputView) -> dict[str, str]:
    return {file.name: file.text for file in view.files}


def _views(
    world: World,
    a: Mapping[str, bytes | str],
    b: Mapping[str, bytes | str],
    *patterns: str,
    **options: object,
) -> PerOutput[OutputView]:
    return world.pair(a, b, *patterns, **options).map(lambda built: built.view)  # type: ignore[arg-type] # handed through


# ---- order and identity ----------------------------------------------------------------------------------------------


def test_main_deliverables_come_first_on_both_sides(world: World) -> None:
    files = {
        name: name
        for name in (
            "a.lock",
            "tests/test_a.py",
            "src/a.py",
            "notes.md",
            "part10.csv",
            "part2.csv",
            "report.md",
        )
    }
    view = _views(world, {**files, "z.pdf": outputs_pdf.pages("z")}, files).A

    assert [file.name for file in view.files] == [
        "z.pdf",
        "report.md",
        "part2.csv",
        "part10.csv",
        "notes.md",
        "src/a.py",
        "tests/test_a.py",
        "a.lock",
    ]


def test_ids_are_those_that_were_given_and_copies_carry_them(world: World) -> None:
    built = world.pair({"a.md": "1", "b.md": "2"}, {"a.md": "3"})
    ids = [file.id for side in (built.A, built.B) for file in side.view.files]

    assert ids == ["0", "1", "2"]
    assert [copy.file_id for side in (built.A, built.B) for copy in side.copies] == ids


def test_building_twice_gives_equal_views(world: World) -> None:
    files = every_family()
    first = world.pair(files, {"a.md": "x"}, "nova")
    second = world.pair(files, {"a.md": "x"}, "nova")

    assert first.map(lambda side: side.view.digest) == second.map(lambda side: side.view.digest)
    blobs = [[copy.blob for copy in side.A.copies] for side in (first, second)]
    assert blobs[0] == blobs[1]


def test_swapping_the_outputs_mirrors_the_views(world: World) -> None:
    a: dict[str, bytes | str] = {"report.md": "x" * 900, "nova.html": "<p>nova</p>", "trace.txt": "t"}
    b: dict[str, bytes | str] = {"report.md": "y" * 300, "page.html": "<p>see nova.html</p>"}
    budget = OutputBudget(characters=500)
    one = _views(world, a, b, "nova", budget=budget).map(lambda view: view.digest)
    other = _views(world, b, a, "nova", budget=budget).map(lambda view: view.digest)

    assert one == other.mirrored


def test_identical_outputs_say_so_on_both_sides(world: World) -> None:
    for view in (
        _views(world, {"a.md": "same"}, {"b.md": "same"}),
        _views(world, {"a": "1", "b": "2"}, {"b": "2", "a": "1"}),
    ):
        assert all("identical" in view[label].notes[0] for label in Label)


_GENERATED = "<meta name=generator content={}><p>same</p>"


def test_outputs_that_differ_only_in_metadata_say_so_on_both_sides(world: World) -> None:
    views = _views(world, {"a.html": _GENERATED.format("x")}, {"a.html": _GENERATED.format("yy")})

    assert all("read the same" in views[label].notes[0] for label in Label)
    assert views.A.digest == views.B.digest or views.A.files[0].size == views.B.files[0].size


def test_pdfs_of_the_same_words_and_other_looks_are_told_in_both_outputs(world: World) -> None:
    def told(a: bytes, b: bytes) -> tuple[tuple[str, ...], tuple[str, ...], bool, bool]:
        built = world.pair({"a.pdf": a}, {"a.pdf": b})
        views, (one, other) = built.map(lambda side: side.view), (*built.A.copies, *built.B.copies)
        assert views.A.notes == views.B.notes
        assert views.A.files[0].notes == views.B.files[0].notes
        same_text = one.content is not None and one.content == other.content
        return views.A.notes, views.A.files[0].notes, same_text, one.shown == other.shown

    plain = outputs_pdf.pages("Words", "More words")
    turned = plain.replace(b"0 0 300 200", b"0 0 200 300")
    elsewhere = outputs_pdf.pages("Words More", "words")
    unused = plain.replace(b"/BaseFont /Helvetica", b"/BaseFont /Helvetica /Private 12345")
    both = ("Both outputs have the same text; they are not the same file.",)
    for other in (turned, elsewhere):
        line = "Same text as in the other output, different layout."
        assert told(plain, other) == (both, (line,), True, False)
    line = "Same text and same pages as in the other output."
    alike = ("Both outputs read the same: they differ only in what is not part of their content.",)
    assert told(plain, unused) == (alike, (line,), True, True)
    assert told(plain, outputs_pdf.pages("Words", "Other words")) == ((), (), False, False)
    assert "identical" in told(plain, plain)[0][0]
    empty = outputs_pdf.pages("")
    assert told(empty, empty.replace(b"0 0 300 200", b"0 0 200 300"))[0] == ()


def test_a_pdf_beside_other_files_is_told_to_have_the_same_text_and_another_layout(world: World) -> None:
    plain = outputs_pdf.pages("Words")
    turned = plain.replace(b"0 0 300 200", b"0 0 200 300")
    built = world.pair({"a.pdf": plain, "n.md": "one"}, {"b.pdf": turned, "n.md": "two"})

    assert built.A.view.notes == built.B.view.notes == ()
    for side in (built.A, built.B):
        (pdf,) = (file for file in side.view.files if file.family is Family.PDF)
        assert pdf.notes == ("Same text as in the other output, different layout.",)


def test_a_copy_of_a_pdf_that_is_on_both_sides_is_told_to_look_the_same(world: World) -> None:
    plain = outputs_pdf.pages("Words")
    copy = plain.replace(b"/BaseFont /Helvetica", b"/BaseFont /Helvetica /Private 12345")
    built = world.pair({"a.pdf": plain}, {"a.pdf": plain, "b.pdf": copy})

    files = (*built.A.view.files, *built.B.view.files)
    assert {file.notes for file in files} == {("Same text and same pages as in the other output.",)}


def test_texts_that_differ_in_what_a_judge_is_not_given_are_not_told_to_be_the_same(world: World) -> None:
    views = _views(
        world,
        {"a.txt": "x" * 9_000},
        {"a.txt": f"{'x' * 4_500}y{'x' * 4_499}"},
        budget=OutputBudget(characters=500),
    )

    assert views.A.files[0].text == views.B.files[0].text
    assert not any("same" in note for note in views.A.notes)


@pytest.mark.parametrize(
    "said",
    [
        '<script type="application/ld+json">{"@type": "Recipe", "name": "Soup"}</script>',
        '<meta property="og:title" content="Soup">',
        '<meta name="description" content="A soup.">',
        "<!-- a remark -->",
        '<p itemscope itemtype="https://schema.org/Recipe"></p>',
    ],
)
def test_outputs_of_which_one_has_the_page_data_do_not_read_the_same(world: World, said: str) -> None:
    page = "<!doctype html><title>Soup</title>{}<h1>Soup</h1>"
    views = _views(world, {"a.html": page.format(said)}, {"a.html": page.format("")})

    assert not views.A.notes
    assert said in views.A.files[0].text
    assert said not in views.B.files[0].text


def test_page_data_of_both_sides_are_listed_with_neutral_values_and_without_names(world: World) -> None:
    page = (
        '<html lang=en><title>Quillwort soup</title><meta name="description" content="By quillwort">'
        '<meta name=author content="Jane Roe"><meta property="og:title" content="Soup &amp; bread">'
        '<!-- for quillwort --><script type="application/ld+json">{"@type": "Recipe", "author": "Jane Roe"}</script>'
        '<p itemscope itemtype="https://schema.org/Recipe"><span itemprop=author>Jane Roe</span>'
    )
    views = _views(world, {"a.html": page}, {"a.html": "<p>Plain</p>"}, "quillwort")

    noun = views.A.files[0].page_data[1].value.split()[0]
    assert [(each.kind, each.name, each.value) for each in views.A.files[0].page_data] == [
        ("Language", "", "en"),
        ("Title", "", f"{noun} soup"),
        ("Meta", "description", f"By {noun.lower()}"),
        ("Meta", "author", "a person"),
        ("Open Graph", "og:title", "Soup & bread"),
        ("Comment", "", f"for {noun.lower()}"),
        ("JSON-LD", "", '{\n  "@type": "Recipe",\n  "author": "a person"\n}'),
        ("Microdata", "itemtype", "https://schema.org/Recipe"),
        ("Microdata", "author", "a person"),
    ]
    assert views.B.files[0].page_data == ()


def test_page_data_that_exceed_their_share_are_cut_to_the_same_length_on_both_sides(world: World) -> None:
    short = "<meta name=m content=word>" * 20
    long = "<meta name=m content=word>" * 60
    budget = OutputBudget(characters=2_000)

    for a, b in ((long, short), (short, long)):
        views = _views(world, {"a.html": a}, {"a.html": b}, budget=budget)
        listed = views.map(lambda view: len(view.files[0].page_data))
        assert listed == PerOutput(A=40 if a == long else 20, B=40 if b == long else 20)
        side = views.A if a == long else views.B
        assert "20 of its 60 entries of page data are not listed for the judge." in side.files[0].notes


def test_a_name_that_the_end_of_page_data_cuts_is_not_told(world: World) -> None:
    page = f"<!--{'x ' * 1996}quillwort rest-->"
    datum = _views(world, {"a.html": page}, {"a.html": page}, "quillwort").A.files[0].page_data[0]

    assert len(datum.value) <= 4_000
    assert "quill" not in datum.value


def test_a_comment_about_the_run_is_set_aside_on_whichever_side_it_stands(world: World) -> None:
    page = "<p>Soup</p><!-- {} --><!-- three servings -->"
    told = page.format("The skill told me to use a table > not a list")
    for a, b in ((told, page.format("plain")), (page.format("plain"), told)):
        views = _views(world, {"a.html": a}, {"a.html": b})
        side = views.A if a == told else views.B

        assert side.files[0].text == "<p>Soup</p><!-- three servings -->"
        assert [(each.name, each.reason) for each in side.set_aside] == [
            ("a.html: 1 comment", "a comment about the run")
        ]
        assert not side.files[0].notes


def test_what_is_said_of_the_values_of_one_page_is_said_of_both(world: World) -> None:
    views = _views(world, {"a.html": _GENERATED.format("x")}, {"a.html": "<p>other</p>"})

    assert views.A.files[0].notes == views.B.files[0].notes != ()


def test_a_name_is_neutralised_in_every_quoting_and_in_comments_meta_and_linked_data(world: World) -> None:
    page = (
        "<meta name=description content='by quillwort'><p title=quillwort data-x='quillwort>'>x</p>"
        '<!-- quillwort > all --><script>if (a<b) { f("quillwort") }</script>'
        '<script type="application/ld+json">{"by": "quillwort"}</script><b>a < b, quillwort</b>'
    )
    text = _views(world, {"a.html": page}, {"a.html": "<p>x"}, "quillwort").A.files[0].text

    assert "quillwort" not in text
    assert "<!-- " in text
    assert " > all -->" in text
    assert "if (a<b) {" in text


def test_outputs_that_differ_say_nothing(world: World) -> None:
    assert _views(world, {"a.md": "1"}, {"a.md": "2"}).map(lambda view: view.notes) == PerOutput[
        tuple[str, ...]
    ](A=(), B=())


# ---- set aside -------------------------------------------------------------------------------------------------------


def test_self_reports_are_listed_and_not_shown(world: World) -> None:
    a = {
        "report.md": "r",
        "transcript.md": "I used the nova skill",
        "nova_metrics.json": "{}",
        "metrics.json": "{}",
    }
    built = world.pair(a, {"report.md": "q", "user_notes.md": "n"}, "nova")

    assert [file.name for file in built.A.view.files] == ["report.md", "toolkit_metrics.json"]
    assert {item.reason for item in built.A.view.set_aside} == {
        "a transcript of the run",
        "figures on the run",
    }
    assert [item.reason for item in built.B.view.set_aside] == ["notes on the run"]
    assert "nova" not in built.model_dump_json()


def test_a_set_aside_file_can_be_taken_back_by_its_path_or_its_neutral_name(world: World) -> None:
    a = {"report.md": "r", "nova/trace.txt": "t"}
    for back in ("nova/trace.txt", "toolkit/trace.txt"):
        view = _views(world, a, {"report.md": "q"}, "nova", taken_back=frozenset({back})).A
        assert [file.name for file in view.files] == ["report.md", "toolkit/trace.txt"]
        assert view.set_aside == ()


def test_refused_members_and_by_products_are_listed(world: World) -> None:
    view = _views(world, {"a.md": "x", ".git/HEAD": "y", "../z": "z"}, {"a.md": "w"}).A

    assert [(item.name, item.reason) for item in view.set_aside] == [
        ("../z", "its name leads out of the folder"),
        (".git", "version control: 1 file, 1 bytes, not read"),
    ]


# ---- redaction -------------------------------------------------------------------------------------------------------


def test_findings_become_redactions_that_leave_nothing(world: World) -> None:
    a: dict[str, bytes | str] = {
        "nova-lab_report.md": "By Nova Lab.",
        "page.html": "<p>no<b>va</b> lab</p>",
        "memo.docx": docx("nova-lab wrote this"),
    }
    b = {"report_orbit.md": "By orbit."}
    snapshots = PerOutput[Snapshot](A=world.uploads(a), B=world.uploads(b))
    patterns = patterns_for(["nova-lab", "orbit"])
    found = scan(patterns, world.texts(snapshots))

    assert {(f.pattern, f.where) for f in found} >= {
        ("nova-lab", Where.FILE_NAME),
        ("nova-lab", Where.FILE_TEXT),
        ("orbit", Where.FILE_NAME),
        ("orbit", Where.FILE_TEXT),
    }
    built = world.views(snapshots, suggested_redactions(found))
    assert [file.name for file in built.A.view.files] == ["memo.docx", "page.html", "tidy-toolkit_report.md"]
    assert [file.name for file in built.B.view.files] == ["report_toolkit.md"]
    assert _texts(built.A.view)["tidy-toolkit_report.md"] == "By Tidy Toolkit."
    assert _texts(built.A.view)["page.html"] == "<p>tidy toolkit<b></b></p>"
    for side in (built.A, built.B):
        served = side.view.model_dump_json() + "".join(world.blobs.get(c.blob).decode() for c in side.copies)
        assert "nova" not in served.lower()
        assert "orbit" not in served.lower()


def test_a_name_that_tags_or_entities_split_is_found_in_a_page(world: World) -> None:
    page: dict[str, bytes | str] = {
        "a.html": '<p>no<b>va</b> l&#97;b</p><a href="https://nova-lab.example">x</a>'
    }
    snapshots = PerOutput[Snapshot](A=world.uploads(page), B=world.uploads({"b.md": "x"}))
    found = scan(patterns_for(["nova-lab"]), world.texts(snapshots))

    assert [(finding.pattern, finding.counts.A) for finding in found] == [("nova-lab", 2)]


def test_a_name_in_the_reason_why_a_file_was_left_out_is_found_and_redacted(world: World) -> None:
    left_out = (RefusedMember(path="m.bin", reason="too large for nova-lab"),)
    a = world.uploads({"a.md": "x", "b.md": "y"}).model_copy(update={"refused": left_out})
    snapshots = PerOutput[Snapshot](A=a, B=world.uploads({"b.md": "x"}))
    patterns = patterns_for(["nova-lab"])
    found = scan(patterns, world.texts(snapshots))
    with world.reader() as reader:
        beside = scan_texts(a, reader, where=Where.INPUT)

    assert [(finding.pattern, finding.counts.A) for finding in found] == [("nova-lab", 1)]
    assert [finding.where for finding in scan(patterns, beside)] == [Where.INPUT]


def test_pdfs_without_a_hit_stay_documents(world: World) -> None:
    views = _views(
        world, {"a.pdf": outputs_pdf.pages("Words")}, {"a.pdf": outputs_pdf.pages("Others")}, "nova"
    )

    assert [block.kind for block in views.A.files[0].blocks] == ["document", "text"]


def test_pictures_carry_a_warning_only_while_words_are_redacted(world: World) -> None:
    files: dict[str, bytes | str] = {"a.png": picture(), "b.txt": "x"}
    warned, plain = _views(world, files, files, "nova"), _views(world, files, files)

    assert warned.A.files[0].notes == ("Words inside its pictures cannot be redacted.",)
    assert plain.A.files[0].notes == ()


# ---- budget ----------------------------------------------------------------------------------------------------------


def test_when_one_output_is_too_long_both_are_held_to_the_same_limit(world: World) -> None:
    views = _views(
        world, {"report.md": "x" * 5_000}, {"report.md": "y" * 700}, budget=OutputBudget(characters=1_000)
    )

    text = views.A.files[0].text
    assert text.count("x") == 1_000
    assert "[… 4,000 characters left out here …]" in text
    assert views.A.files[0].notes == ("4,000 of its 5,000 characters are left out for the judge.",)
    assert [block.omitted for block in views.A.files[0].blocks if block.kind == "text"] == [4_000]
    assert views.B.files[0].text == "y" * 700
    assert views.A.notes == views.B.notes
    assert "1,000 characters" in views.B.notes[0]


def test_a_file_that_both_have_is_cut_to_the_same_length(world: World) -> None:
    a = {"report.md": "x" * 3_000, "appendix.md": "z" * 3_000}
    views = _views(world, a, {"report.md": "y" * 3_000}, budget=OutputBudget(characters=4_000))

    texts = views.map(_texts)
    assert texts.A["report.md"].count("x") == texts.B["report.md"].count("y") == 2_000


def test_the_reviewers_copy_is_never_cut_by_the_judges_budget(world: World) -> None:
    built = world.pair({"a.md": "x" * 5_000}, {"a.md": "y"}, budget=OutputBudget(characters=1_000))

    assert world.blobs.get(built.A.copies[0].blob) == b"x" * 5_000


def test_pictures_beyond_the_budget_are_left_out_alike_and_reported(world: World) -> None:
    a = {f"p{number}.png": picture(size=(8 + number, 8)) for number in range(4)}
    views = _views(world, a, {"p0.png": picture()}, budget=OutputBudget(images=2))

    kinds = [[block.kind for block in file.blocks] for file in views.A.files]
    assert kinds == [["text", "image"], ["text", "image"], ["text"], ["text"]]
    assert views.A.files[3].notes == ("1 of its pictures is left out.",)
    assert views.A.notes == views.B.notes != ()


@pytest.mark.parametrize(("room", "pictured"), [(9, (3, 3)), (4, (2, 2)), (3, (1, 1)), (1, (0, 0))])
def test_as_many_pages_of_each_pdf_are_pictured_as_fit_and_all_are_given_as_text(
    world: World, room: int, pictured: tuple[int, int]
) -> None:
    pages = outputs_pdf.pages("one", "two", "three")
    views = _views(
        world,
        {"a.pdf": pages, "b.pdf": pages},
        {"a.pdf": pages},
        budget=OutputBudget(pictures=room, images=0),
    )

    for view in (views.A, views.B):
        for file, most in zip(view.files, pictured, strict=False):
            documents = [block for block in file.blocks if isinstance(block, DocumentBlock)]
            assert sum(len(pypdfium2.PdfDocument(block.data)) for block in documents) == most
            assert ("one" in file.text, "three" in file.text) == (True, True)
        assert view.pictures <= room
        assert bool(view.notes) is (not pictured[0])


def test_a_request_with_all_that_fits_has_ninety_pictures_at_most_and_room_for_those_of_tools() -> None:
    outputs, others = OutputBudget(), OutputBudget().small

    assert 2 * outputs.pictures + 2 * others.pictures <= MOST_PICTURES - 10


# ---- single views, speed ---------------------------------------------------------------------------------------------


def test_inputs_and_references_set_nothing_aside(world: World) -> None:
    built = world.single(world.uploads({"transcript.md": "by nova", "metrics.json": "{}"}), "nova")

    assert _texts(built.view) == {"transcript.md": "by toolkit", "metrics.json": "{}"}
    assert built.view.set_aside == ()


def test_a_view_has_no_way_to_say_where_it_came_from(world: World, tmp_path: Path) -> None:
    folder = tmp_path / "candidate-seven"
    folder.mkdir()
    (folder / "a.md").write_text("x")
    built = world.single(world.path(folder))

    assert "candidate-seven" not in built.model_dump_json()
    assert str(tmp_path) not in built.model_dump_json()


def test_all_blocks_survive_a_round_trip_as_json(world: World) -> None:
    view = world.single(world.uploads(every_family())).view

    assert OutputView.model_validate_json(view.model_dump_json()) == view
    assert {file.family for file in view.files} >= set(Family) - {
        Family.VIDEO,
        Family.CODE,
        Family.JSON,
        Family.YAML,
    } - {
        Family.TOML,
        Family.XML,
        Family.CSV,
        Family.TEXT,
    }
    assert base64.b64encode(b"%PDF")[:4].decode() in view.model_dump_json()
