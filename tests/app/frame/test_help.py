"""The help: pages of the documentation, read in the app, with links between them."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from comparator.domain.rights import Role
from comparator.store.people import people, projects
from comparator.ui.frame import session
from comparator.workflow.people.people import give_role
from comparator.workflow.services import Services
from tests.app.conftest import PATIENCE, open_page, plain


def written(app: AppTest) -> str:
    return "\n".join(str(each.value) for each in app.markdown)


def test_a_page_of_the_help_links_to_others_within_the_app(app: AppTest, services: Services) -> None:
    with services.write() as unit:
        projects.ensure_project(unit, "Harvest")
    open_page(app, "help", page="operations", project="Harvest")

    text = written(app)
    assert "&project=Harvest" in text
    assert text.count("# ") >= 3
    assert ".md" not in "".join(re.findall(r"\]\([^)]*\)", text))
    assert "![" not in text
    assert not app.exception


def test_the_list_has_five_headings_and_people_who_only_review_see_how_to_review(
    app: AppTest, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_page(app, "help")
    listed = written(app)
    assert "#### Review\n- [How to review](help?page=reviewing): one page for reviewers" in listed
    assert re.findall("#### (.+)", listed) == ["Start", "Review", "Judge", "Results", "Run it"]
    assert all(": " in line for line in listed.splitlines() if line.startswith("- ["))

    with services.write() as unit:
        project = projects.ensure_project(unit, "Harvest").id
        rhea = people.ensure_person(unit, "oidc:rhea", name="Rhea").id
    give_role(services.by(session.me().id), rhea, Role.REVIEWER, project_id=project)
    monkeypatch.setattr(session, "identity", lambda: session.Me(rhea, "Rhea"))
    open_page(app, "help")

    text = written(app)
    assert text.lstrip().startswith("# How to review")
    for word in ("rubric", "judge first", "assess", "decided by", "pass rate"):
        assert re.search(rf"^\| .*{word}", text, re.MULTILINE)
    assert "](help?page=operations)" in text
    assert not app.exception


def found(*questions: str) -> Iterator[list[str]]:
    """The lines of what a search finds for each question, in one run."""

    def search(questions: tuple[str, ...], docs: str) -> None:
        from pathlib import Path

        from comparator.ui.frame import safe

        pages = [
            page for page in Path(docs).glob("*.md") if page.stem not in ("index", "README", "questions")
        ]
        for question in questions:
            safe.found_in(pages, question)

    asked = questions, str(Path(__file__).parents[3] / "docs")
    app = AppTest.from_function(search, args=asked, default_timeout=PATIENCE).run()
    assert not app.exception, app.exception
    for answer in app.markdown:
        yield str(answer.value).splitlines()


ANSWERS = (
    ("What does “within chance” mean?", "Within chance"),
    ("how do I export", "Export"),
    ("kappa", "Kappa"),
    # Labels as pages and the report print them.
    ("Judge's two orders disagree", "Orders differ"),
    ("2 quotes not found", "Quote not found"),
    ("override", "Override"),
    ("Sides are hidden; you know the candidates", "Sides hidden"),
    ("Replaced by a later import", "Superseded"),
    ("no quorum", "Judge panel"),
    ("Mean lead, of 10 points", "Mean difference"),
    ("4 keep changing", "Noise"),
    ("2.0 times the tokens", "Cost"),
)


def test_a_question_about_a_word_of_the_pages_is_answered_first() -> None:
    questions = [question for question, _ in ANSWERS]
    for (question, answer), (first, meaning, *_) in zip(ANSWERS, found(*questions), strict=True):
        assert first.startswith(f"- [{answer}"), question
        assert re.search(r"\(help\?page=glossary#[\w-]+\)", first), "the hit opens at its place"
        assert first.rstrip().endswith("Words")
        assert len(meaning) > 30


def test_reviewers_are_answered_first_and_by_whole_words() -> None:
    tie, export = found("tie", "export")
    assert tie[0].startswith("- [How to review]")
    assert "scores stay as they are" in tie[1]
    assert export[2].startswith("- [How to review]")
    assert not any("quantities" in line or "identities" in line for line in tie[1::2])


def test_what_is_found_is_whole_sentences_and_rows_without_marks_of_markdown() -> None:
    for lines in found("budget", "judge", "a b c"):
        links, sentences = lines[::2], lines[1::2]
        assert len(links) == len(sentences) > 2
        assert all(re.match(r"- \[.+\]\(help\?page=[\w-]+#[^)]*\)", link) for link in links)
        for sentence in sentences:
            shown = plain(sentence).strip()
            assert not re.search(r"^[|:;]|\|\s|\*\*|```|\]\(|…$", shown), shown


def test_words_that_no_page_has_together_find_the_pages_that_have_most_of_them(app: AppTest) -> None:
    open_page(app, "help").text_input(key="help_search").set_value("kappa zeppelin").run()

    assert "kappa" in written(app).casefold()
    assert "these have the most of them" in " ".join(str(each.value) for each in app.caption)
    app.text_input(key="help_search").set_value("the key for a tie").run()
    assert "for a tie" in written(app)
    app.text_input(key="help_search").set_value("keys").run()
    assert "| key | what it does |" in written(app)
    app.text_input(key="help_search").set_value("zeppelin").run()
    assert written(app).startswith("No help page has any of these words. Try ")
    app.text_input(key="help_search").set_value("keyboard shortcuts").run()
    assert "`?` in a review" in written(app)
    assert "No help page" not in written(app)


QUESTIONS = {
    "undo a finalised review": (
        "How do I undo or change an answer or decision, or resume or reopen a finalised review?",
        "history",
    ),
    "who sees my reviews": ("Who can see my reviews?", "panel"),
    "export everything to CSV": (
        "How do I export or download everything, such as all results as CSV?",
        "history",
    ),
    "how do I stop a batch": ("How do I pause, stop or cancel a batch?", "batches"),
    "share results with my team": (
        "How do I send or share a result or report with somebody or my team?",
        "dashboards",
    ),
    "export preferences": ("How do I export preferences without scores?", "history"),
    "model and key": ("Where do I set or change the judge's model and key?", "settings"),
}


def test_a_question_is_answered_whole_and_first_with_the_page_where_it_is_done(app: AppTest) -> None:
    open_page(app, "help", project="Harvest")
    for asked, (question, page) in QUESTIONS.items():
        app.text_input(key="help_search").set_value(asked).run()
        first = app.markdown[0].value
        assert first.startswith(f"**{question}**"), asked
        assert re.search(rf"\[{page.capitalize()}\]\({page}(\?project=Harvest)?\)", first), first
    assert not app.exception
