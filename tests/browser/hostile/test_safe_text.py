import json
import random
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from comparator.ui.frame import safe
from tests.browser.servers.real_app import WAIT
from tests.browser.servers.serving import Server

TEXTS = [
    "![pixel](http://evil.invalid/a.png)",
    "[link](http://evil.invalid/) and <http://evil.invalid/b>",
    "<img src=http://evil.invalid/c.png onerror=alert(1)><script>alert(2)</script><b>bold</b> &amp; &lt;",
    ":red[x] :red-background[y] :blue-badge[z] :small[s] :rainbow[r]",
    "$x^2$ and $$y$$ and \\(z\\) \\alpha",
    ":material/home: :material_home: :streamlit: :smile: :+1: :a::b:",
    "http://evil.invalid/x https://evil.invalid www.evil.invalid WWW.EVIL.invalid HTTP://EVIL.invalid a@evil.invalid",
    "# heading",
    "- item",
    "1. one",
    "1) one",
    "> quote",
    "+ plus",
    "    indented",
    "| a | b |\n|---|---|\n| 1 | 2 |",
    "title\n=====\n\nother\n---",
    "`code` ``two`` ``` ~~~ ~~struck~~",
    "```mermaid\ngraph TD\n```",
    "**b** *i* __b__ _i_ ***",
    "a -> b <- c <-> d -- e >= f <= g ~= h",
    "[^1] [x][y] [x]: http://evil.invalid/ref",
    ":::note\ntext\n:::",
    "::leaf[x]{a=b} :span[x]{.c #d}",
    "line\r\nline\ttab\\\nslash \\",
    "\u202egnp.exe\u202c \u200b\u2066\x00\x07\x9b\ufeff\u2028 \U000e0041",
    "👩‍💻 Ωmega – “quotes” … 名前",
    "-",
    "---",
    "***",
    "===",
    "`",
    "` `",
    "\\",
    "$5 and $6",
    "10:30:45 a:b::c x:/y",
    "javascript:alert(1) mailto:a@b.invalid xmpp:a@b.invalid",
]
PIECES = [*"![]()<>&:$`*_~#-+=|{}\\/.@\"' \n\t1aZ", "http", "www", "://", ":material/", "home:", ":red[", "](", "![",
          "evil.invalid", "->", "--", ">=", "<b>", "&amp;", "$$", "```", "~~", "\u202e", "x:", ":smile:"]  # fmt: skip

SHOWN = """([kind, count]) => Array.from({length: count}, (_, index) => {
    const own = ":is([data-testid=stMarkdownContainer], [data-testid=stCaptionContainer])";
    const box = document.querySelector(`.st-key-${kind}-${index} ${own}`);
    const parts = box && Array.from(box.querySelectorAll("*"), (e) => e.tagName.toLowerCase());
    return box && {text: box.textContent, parts};
})"""


def mixtures(count: int) -> list[str]:
    draw = random.Random(7)
    made = ["".join(draw.choices(PIECES, k=draw.randint(1, 14))) for _ in range(count)]
    return [text for text in made if text.strip()]


def shown_text(text: str) -> str:
    return " ".join(safe.visible(text).replace("\u00a0", " ").split())


@pytest.mark.slow
def test_hostile_text_shows_literally_and_loads_nothing(browser: Browser, tmp_path: Path) -> None:
    texts = [*TEXTS, *mixtures(120)]
    (tmp_path / "texts.json").write_text(json.dumps(texts), "utf-8")
    environment = {"HOSTILE_TEXTS": str(tmp_path / "texts.json")}
    asked: list[str] = []
    with Server("safe_app.py", environment=environment, log=tmp_path / "log") as server:
        page = browser.new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.goto(server.url)
        page.get_by_text("finished", exact=True).wait_for(timeout=WAIT)
        page.wait_for_function("!document.querySelector('[data-testid=stSkeleton]')")
        wrong = []
        for kind in ("text", "caption", "code", "button"):
            shown = page.evaluate(SHOWN, [kind, len(texts)])
            for text, seen in zip(texts, shown, strict=True):
                literal = seen and " ".join(seen["text"].replace(safe.JOINER, "").split())
                parts = set(seen["parts"]) - {"p", "code"} if seen else None
                if literal != shown_text(text) or parts:
                    wrong.append((kind, text, seen))

        assert not wrong, f"{len(wrong)}: {wrong[:8]}"
        assert page.locator("[data-testid=stMarkdownContainer] :is(a, img, table, script, svg)").count() == 0
        assert not [
            url for url in asked if not url.startswith((server.url, "ws://127.0.0.1", "data:", "blob:"))
        ]
        page.close()


@pytest.mark.slow
def test_the_same_page_would_load_the_picture_without_escaping(browser: Browser, tmp_path: Path) -> None:
    script = tmp_path / "raw_app.py"
    script.write_text("import streamlit as st\nst.markdown('![p](http://evil.invalid/a.png)')\n", "utf-8")
    asked: list[str] = []
    with Server(str(script), environment={}, log=tmp_path / "log") as server:
        page = browser.new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.goto(server.url)
        page.locator("[data-testid=stMarkdownContainer] img").wait_for(state="attached", timeout=WAIT)

        assert "http://evil.invalid/a.png" in asked
        page.close()
