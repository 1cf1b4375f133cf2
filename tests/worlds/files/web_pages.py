"""Web pages made for tests of how they look: eight styles, each page with some parts of modern CSS and HTML."""

import base64
import io
import urllib.parse
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import NamedTuple

from PIL import Image, ImageDraw

# ruff: noqa: E501, ISC004 - markup is easier to read in one piece


COUNT = 150


class WebPage(NamedTuple):
    """One page: its style, a name that is its own, and the bytes of its file."""

    style: str
    name: str
    data: bytes


def web_pages(count: int = COUNT) -> tuple[WebPage, ...]:
    """The first pages, the same each time: every style in turn, and every part about as often as any other."""
    return tuple(_page(number) for number in range(count))


def _page(number: int) -> WebPage:
    rng = Random(number)
    style = list(_STYLES)[number % len(_STYLES)]
    first = number * 4 + number // len(PARTS)
    parts = [PARTS[(first + step) % len(PARTS)](rng) for step in range(4)]
    # Imports stand before all other rules.
    css = "\n".join(sorted((rules for rules, _ in parts), key=lambda rules: "@import" not in rules))
    text = _STYLES[style](rng, css, [markup for _, markup in parts])
    encoding = "windows-1252" if style == "office" else "utf-8"
    return WebPage(style, f"{number:03}-{style}.html", text.encode(encoding, "xmlcharrefreplace"))


def _landing(rng: Random, css: str, parts: list[str]) -> str:
    hue = rng.randrange(360)
    return f"""<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>{words(rng, 3)}</title>
<meta property="og:title" content="Landing"><link rel="preconnect" href="https://fonts.example.com"><link href="https://fonts.example.com/css2?family=Inter:wght@400;700&display=swap" rel="stylesheet">
<style>{css}
* {{ margin: 0; padding: 0; box-sizing: border-box }} body {{ font: 16px/1.5 system-ui, sans-serif; color: hsl({hue} 30% 15%) }}
.hero {{ min-height: 40vh; display: grid; place-items: center; background: linear-gradient(135deg, hsl({hue} 70% 85%), hsl({(hue + 60) % 360} 70% 75%)); text-align: center; padding: clamp(1rem, 5vw, 4rem) }}
.hero h1 {{ font-size: clamp(1.8rem, 6vw, 3.6rem); text-wrap: balance }} main {{ max-width: 70rem; margin: auto; padding: 2rem 1rem; display: flex; flex-direction: column; gap: 2rem }} footer {{ background: #222; color: #ddd; padding: 1rem }}</style></head>
<body><header class="hero"><div><h1>{words(rng, 5)}</h1><p>{words(rng, 12)}</p></div></header><main>{"".join(f"<section>{part}</section>" for part in parts)}</main><footer>&copy; {words(rng, 3)}</footer></body></html>"""


def _dashboard(rng: Random, css: str, parts: list[str]) -> str:
    tiles = "".join(
        f"<div class='tile'><dt>{words(rng, 1)}</dt><dd>{rng.randrange(9999):,}</dd></div>" for _ in range(6)
    )
    return f"""<!doctype html><html lang=en data-theme="dark"><meta charset=utf-8><meta name=color-scheme content=dark><title>Dashboard</title><style>{css}
:root {{ color-scheme: dark; --panel: #1c2433 }} [data-theme=dark] body {{ background: #10151f; color: #dbe4f3; font: 14px 'Segoe UI', Roboto, sans-serif; margin: 0; display: grid; grid-template: auto 1fr / minmax(90px, 180px) 1fr; grid-template-areas: 'top top' 'side main' }}
header {{ grid-area: top; background: var(--panel); padding: 10px 20px; position: sticky; top: 0; z-index: 3 }} aside {{ grid-area: side; border-right: 1px solid #334 }} main {{ grid-area: main; padding: 16px; min-width: 0; overflow: hidden }} dl {{ display: grid; grid-template-columns: repeat(3, 1fr); gap: 10px }} .tile {{ background: var(--panel); border-radius: 8px; padding: 10px }} dd {{ font-size: 22px; margin: 0 }}</style>
<header>{words(rng, 2)}</header><aside><ul><li>{words(rng, 1)}<li>{words(rng, 1)}</ul></aside><main><dl>{tiles}</dl>{"".join(parts)}</main>"""


def _article(rng: Random, css: str, parts: list[str]) -> str:
    body = "".join(f"<h2>{words(rng, 4)}</h2><p>{words(rng, 45)}</p>{part}" for part in parts)
    return f"""<!DOCTYPE html>
<html lang="en">
  <head><meta charset="UTF-8"><title>{words(rng, 4)}</title><meta name="author" content="Somebody"><meta name="description" content="{words(rng, 9)}">
  <script type="application/ld+json">{{"@context": "https://schema.org", "@type": "Article", "headline": "x", "author": {{"@type": "Person", "name": "S"}}}}</script>
  <style media="screen">{css}</style><style media="print">body {{ display: none }}</style><style>
    body {{ font: 18px/1.6 Georgia, 'Times New Roman', serif; max-width: 42rem; margin: 3rem auto; padding: 0 1rem }} h1 {{ line-height: 1.1 }} p {{ text-align: justify }} blockquote {{ border-left: 3px solid #999; margin-left: 0; padding-left: 1em }}</style></head>
  <body itemscope itemtype="https://schema.org/Article"><article><h1 itemprop="headline">{words(rng, 6)}</h1><p><time datetime="2024-01-01">1 January</time> <abbr title="{words(rng, 3)}">ABC</abbr></p><blockquote>{words(rng, 16)}</blockquote>{body}</article></body>
</html>"""


def _office(rng: Random, css: str, parts: list[str]) -> str:
    return f"""<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN" "http://www.w3.org/TR/html4/loose.dtd"><HTML><HEAD><META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=windows-1252"><META NAME="GENERATOR" CONTENT="Some Editor 7"><TITLE>Café</TITLE><STYLE TYPE="text/css"><!--
P {{ margin-bottom: 8pt }} {css} --></STYLE></HEAD><BODY BGCOLOR="#FFFFF4" TEXT="#222222" LINK="#0000EE" LEFTMARGIN=20>
<CENTER><FONT FACE="Arial" SIZE=5 COLOR=navy>{words(rng, 4)}</FONT></CENTER><HR WIDTH="60%" NOSHADE><P ALIGN=RIGHT>Résumé – “naïve” €{rng.randrange(99)}</P>{"<BR CLEAR=all>".join(parts)}<UL TYPE=square><LI>{words(rng, 4)}<LI>{words(rng, 3)}</UL></BODY></HTML>"""


def _quirks(rng: Random, css: str, parts: list[str]) -> str:
    return f"""<html><body><style>{css}</style><table width=100%><tr><td width=200 style="font-size:small">{words(rng, 6)}</td><td>{parts[0]}{parts[1]}</table>
<div style="width: 200; height: 50px; background: #ccf; border: solid">{words(rng, 5)}</div>{parts[2]}{parts[3]}<img src="missing.png" alt="{words(rng, 2)}" width=120 height=40><p>{words(rng, 20)}"""


def _fragment(rng: Random, css: str, parts: list[str]) -> str:
    return (
        f"<style>{css}</style>\n<h1>{words(rng, 4)}</h1>\n"
        + "\n\n".join(parts)
        + f"\n<p style='color:#444;font-family:\"Courier New\", monospace;background:url(data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=)'>{words(rng, 8)}</p>"
    )


def _slides(rng: Random, css: str, parts: list[str]) -> str:
    slides = "".join(f"<section class=slide><h2>{words(rng, 4)}</h2>{part}</section>" for part in parts)
    return f"""<!doctype html><html><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Slides</title><style>{css}
@page {{ size: landscape }} html {{ background: #333 }} .slide {{ aspect-ratio: 16/9; width: min(92vw, 60rem); margin: 1rem auto; background: #fff; padding: 4%; overflow: hidden; position: relative; container-type: inline-size; counter-increment: slide }} .slide h2 {{ font-size: clamp(16px, 4cqi, 40px); margin: 0 0 .5em }} .slide::after {{ content: counter(slide); position: absolute; right: 1rem; bottom: .5rem; color: #888 }}
@media (prefers-reduced-motion: no-preference) {{ .slide {{ scroll-snap-align: center }} }} @media (orientation: portrait) {{ .slide {{ aspect-ratio: auto }} }}</style></head><body>{slides}</body></html>"""


def _utility(rng: Random, css: str, parts: list[str]) -> str:
    return f"""<!doctype html><html class="h-full"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><script src="https://cdn.example.com/tool.js"></script><link rel="stylesheet" href="https://cdn.example.com/all.min.css"><style type="text/css">{css}
.md\\:flex {{ display: block }} .w-1\\/2 {{ width: 50% }} .p-\\[13px\\] {{ padding: 13px }} .bg-slate-50\\/80 {{ background: rgb(248 250 252 / .8) }} .text-\\#334 {{ color: #334 }} @media (min-width: 768px) {{ .md\\:flex {{ display: flex; gap: 1rem }} }} @media (hover: hover) {{ .card:hover {{ scale: 1.02 }} }} .card {{ flex: 1; min-width: 0; border: 1px solid #dde; border-radius: .75rem }}</style></head>
<body class="bg-slate-50/80 text-#334"><h1 class="p-[13px] w-1/2" style="--c: {rng.randrange(360)}; color: hsl(var(--c) 60% 40%); font: 700 clamp(20px, 3vw, 34px)/1.1 'Inter', ui-sans-serif, sans-serif">{words(rng, 4)}</h1><div class="md:flex"><div class="card p-[13px]">{parts[0]}</div><div class="card p-[13px]">{parts[1]}</div></div>{parts[2]}{parts[3]}</body></html>"""


_STYLES: dict[str, Callable[[Random, str, list[str]], str]] = {
    draw.__name__.removeprefix("_"): draw
    for draw in (_landing, _dashboard, _article, _office, _quirks, _fragment, _slides, _utility)
}

Part = tuple[str, str]
"""Rules of the style sheet, and markup."""

FONT = base64.b64encode(Path(__file__).with_name("boxes.ttf").read_bytes()).decode()
"""A font whose letters are boxes: what is set in it cannot be taken for any other font."""
_WORDS = (
    "harbour ledger orchard signal copper meadow lantern river winter engine garden market "
    "bridge paper stone window letter morning valley figure shelter silver number island"
)


def words(rng: Random, count: int) -> str:
    """So many words, as a sentence."""
    return " ".join(rng.choice(_WORDS.split()) for _ in range(count)).capitalize() + "."


def _photo(rng: Random, width: int, height: int) -> str:
    picture = Image.new("RGB", (width, height), tuple(rng.randrange(60, 240) for _ in range(3)))
    pen = ImageDraw.Draw(picture)
    for _ in range(6):
        x, y = rng.randrange(width), rng.randrange(height)
        pen.ellipse((x, y, x + 30, y + 20), fill=tuple(rng.randrange(256) for _ in range(3)))
    held = io.BytesIO()
    picture.save(held, "PNG")
    return f"data:image/png;base64,{base64.b64encode(held.getvalue()).decode()}"


def has_selector(rng: Random) -> Part:
    return (
        "label:has(input:checked) { font-weight: 700; background: gold; } section:has(> h3 + p) { outline: 1px dashed teal; } p:not(:has(em)):is(.said) { opacity: .6 }",
        f"<section><h3>{words(rng, 2)}</h3><p class=said>{words(rng, 9)}</p><label><input type=checkbox checked> {words(rng, 2)}</label> <label><input type=checkbox> {words(rng, 2)}</label></section>",
    )


def imported(rng: Random) -> Part:
    sheet = urllib.parse.quote(".imp { background: #fdebd0; padding: 8px; border-radius: 6px }")
    return (
        f"/*first*/@import url('https://fonts.example.com/css2?family=Inter:wght@400;500;600&display=swap');@import url(\"data:text/css,{sheet}\") layer(imp);",
        f"<p class=imp>{words(rng, 9)}</p>",
    )


def font(rng: Random) -> Part:
    return (
        f"@font-face {{ font-family: Boxes; src: url(data:font/ttf;base64,{FONT}) format('truetype'); font-display: block }} .boxes {{ font: 22px Boxes, monospace; color: #354; }}",
        f"<p class=boxes>{words(rng, 3)}</p><p>{words(rng, 10)}</p>",
    )


def pictures(rng: Random) -> Part:
    small, large = _photo(rng, 120, 70), _photo(rng, 240, 140)
    return (
        "figure { display: inline-block; margin: 8px } img { max-width: 100%; border-radius: 8px; object-fit: cover } .contain { width: 180px; height: 60px; object-fit: contain; background: #eee }",
        f'<figure><img alt="a" src="{small}" srcset="{small} 120w, {large} 240w" sizes="(max-width: 600px) 120px, 240px"><figcaption>{words(rng, 4)}</figcaption></figure>'
        f'<picture><source media="(min-width: 800px)" srcset="{large}"><source type="image/nonsense" srcset="nothing.xyz"><img class=contain alt="b" src="{small}"></picture>',
    )


def drawn_background(rng: Random) -> Part:
    return (
        f""".pattern {{ height: 60px; background: url("data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='24' height='24'><circle cx='12' cy='12' r='{rng.randrange(4, 10)}' fill='%23c58' fill-opacity='.6'/></svg>") 0 0 / 24px; }}"""
        """ .tick { background: #fff url('data:image/svg+xml;utf8,<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10" width="10" height="10"><path d="M1 5 L4 8 L9 1" stroke="green" fill="none"/></svg>') no-repeat 4px center; padding-left: 20px }"""
        """ select.arrow { appearance: none; padding-right: 30px; background-image: url("data:image/svg+xml;charset=UTF-8,%3csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 4 5' width='8' height='10'%3e%3cpath fill='%23343a40' d='M2 0L0 2h4zm0 5L0 3h4z'/%3e%3c/svg%3e"); background-repeat: no-repeat; background-position: right 10px center }""",
        f"<div class=pattern></div><p class=tick>{words(rng, 5)}</p><select class=arrow><option>{words(rng, 2)}</select>",
    )


def drawing(rng: Random) -> Part:
    bars = "".join(
        f'<rect x="{n * 34 + 10}" y="{(y := rng.randrange(10, 90))}" width="24" height="{120 - y}" fill="url(#fade)"><title>{words(rng, 2)}</title></rect>'
        for n in range(7)
    )
    return (
        "svg.chart text { font: 11px sans-serif; fill: #345 } svg .spin { transform-origin: center; transform-box: fill-box; rotate: 20deg }",
        f'<svg class=chart viewBox="0 0 260 150" width="420" role=img><defs><linearGradient id="fade" x2="0" y2="1"><stop stop-color="#58c"/><stop offset="1" stop-color="#8ce"/></linearGradient><symbol id="pin" viewBox="0 0 10 10"><path d="M5 0 L10 10 L0 10z"/></symbol>'
        f'<clipPath id="round"><circle cx="230" cy="40" r="20"/></clipPath><mask id="half"><rect width="260" height="75" fill="#fff"/></mask><filter id="soft"><feGaussianBlur stdDeviation="1.5"/></filter><pattern id="dots" width="6" height="6" patternUnits="userSpaceOnUse"><circle cx="3" cy="3" r="1.5" fill="#a33"/></pattern></defs>{bars}'
        f'<use href="#pin" x="200" y="90" width="30" height="30" class=spin /><use xlink:href="#pin" x="220" y="110" width="16" height="16" fill="teal"/><rect clip-path="url(#round)" x="200" y="10" width="60" height="60" fill="url(#dots)"/><circle mask="url(#half)" cx="150" cy="75" r="20" fill="orange"/><ellipse filter="url(#soft)" cx="40" cy="20" rx="20" ry="8" fill="#777"/>'
        f'<text x="10" y="142">{words(rng, 3)}<tspan dx="5" font-weight="bold">{rng.randrange(99)}%</tspan></text><foreignObject x="180" y="120" width="80" height="30"><div xmlns="http://www.w3.org/1999/xhtml" style="font:9px serif">{words(rng, 3)}</div></foreignObject></svg>',
    )


def details(rng: Random) -> Part:
    return (
        "details { border: 1px solid #aaa; padding: 6px; margin: 4px 0 } summary { font-weight: 600; cursor: pointer } details[open] > summary { color: #b30 } summary::marker { content: '+ ' }",
        f"<details open><summary>{words(rng, 3)}</summary><p>{words(rng, 9)}</p></details><details name=g><summary>{words(rng, 3)}</summary><p>hidden</p></details>",
    )


def form(rng: Random) -> Part:
    kinds = (
        "text password email url tel search number range date month week time datetime-local "
        "color checkbox radio file submit reset button hidden image"
    )
    values = {
        "number": "value=7 step=0.5",
        "range": f"min=0 max=1 step=0.05 value={rng.randrange(1, 20) * 0.05:.2f}",
        "date": "value=2024-05-03",
        "month": "value=2024-05",
        "week": "value=2024-W05",
        "time": "value=09:30",
        "datetime-local": "value=2024-05-03T09:30",
        "color": "value=#3366cc",
        "checkbox": "checked",
        "radio": "checked name=r",
        "submit": "value=Send",
        "button": "value=Press",
        "text": "value='a value' maxlength=9",
        "search": "placeholder=Search",
        "email": "required value=wrong",
        "url": "disabled value=https://x.example",
        "tel": "readonly value='+1 555'",
        "image": "alt=Go",
    }
    fields = "".join(
        f"<label>{kind} <input type={kind} {values.get(kind, '')}></label>" for kind in kinds.split()
    )
    return (
        "form.f { display: grid; grid-template-columns: repeat(auto-fill, minmax(230px, 1fr)); gap: 8px; accent-color: #a3c; } input:invalid { border-color: #c00 } input:disabled { opacity: .5 } .f input[type=range] { width: 100% } ::placeholder { color: #c88 }",
        f"<form class=f action=/send method=post>{fields}<textarea rows=3 cols=20>{words(rng, 9)}</textarea><select><optgroup label=One><option>a<option selected>{words(rng, 2)}</optgroup></select><select multiple size=3><option>a<option selected>b<option>c</select>"
        "<fieldset><legend>Legend</legend><progress max=10 value=7></progress> <meter min=0 max=10 low=3 high=7 optimum=9 value=2></meter> <output>12</output><input list=l value=listed><datalist id=l><option value=x></datalist></fieldset></form>",
    )


def custom(rng: Random) -> Part:
    return (
        "my-card { display: block; border: 2px solid #696; padding: 8px } my-card:not(:defined) { background: #f2fff2 } x-star::before { content: '★★★'; color: goldenrod } ::part(head) { color: #909 }",
        f"<my-card kind=wide><template shadowrootmode=open><style>:host {{ font-family: serif }} h4 {{ margin: 0; border-bottom: 1px solid }} ::slotted(b) {{ color: crimson }}</style><h4 part=head>{words(rng, 2)}</h4><slot></slot></template><b>{words(rng, 3)}</b> <x-star></x-star></my-card><template><p>never seen</p></template>",
    )


def links(rng: Random) -> Part:
    return (
        "a:link { color: #0a58ca; text-underline-offset: 3px } a[href] { font-weight: 600 } a:not([href]) { color: gray } nav.n { display: flex; gap: 12px; flex-wrap: wrap; position: sticky; top: 0; background: #fffd } a[target=_blank]::after { content: ' ↗' } :any-link:hover { color: red } a[href^='http']:not([href*='here.example.com']) { border-bottom: 2px dotted #c33 } a[href^='https://example.com'] { background: #eef } a[href$='.pdf' i]::after { content: ' (PDF)' } a[href^='mailto:']::before { content: '✉ ' } a[href^='tel:'] { letter-spacing: 1px } a[href='other.html'] { font-style: italic } a[href^='/'] { text-transform: uppercase } a[href*='/docs/'] { color: #070 } a[href^='#'] { color: #a50 }",
        f"<nav class=n><a href='https://example.com/a?b=1&c=2'>{words(rng, 1)}</a><a href=#top>{words(rng, 1)}</a><a>{words(rng, 1)}</a><a href=mailto:a@example.com>{words(rng, 1)}</a><a href=other.html target=_blank rel=noopener>{words(rng, 1)}</a><a href='https://example.com/plan.PDF#page=2'>{words(rng, 1)}</a><a href='//example.com/docs/plan.pdf'>{words(rng, 1)}</a><a href=/docs/a>{words(rng, 1)}</a><a href='http://here.example.com'>{words(rng, 1)}</a><a href=tel:+491>{words(rng, 1)}</a><a href='../up.pdf'>{words(rng, 1)}</a><a href='javascript:void(0)'>{words(rng, 1)}</a></nav>",
    )


def unscripted(rng: Random) -> Part:
    return (
        ".js-only { display: none } script + p { color: #070 } noscript p { border: 1px solid orange }",
        f"<script>document.body.innerHTML = 'gone'</script><p>{words(rng, 4)}</p><noscript><p>{words(rng, 5)} <b>without scripts</b></p></noscript><div id=root></div><div class=js-only>never</div><button onclick=\"alert(1)\">{words(rng, 1)}</button><!-- a comment -->",
    )


PARTS: tuple[Callable[[Random], Part], ...] = (
    *(has_selector, imported, font, pictures, drawn_background, drawing),
    *(details, form, custom, links, unscripted),
)
