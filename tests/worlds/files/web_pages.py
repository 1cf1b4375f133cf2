"""Web pages made for tests of how they look: eight styles, each page with some parts of modern CSS and HTML."""

# ruff: noqa: E501 - markup is easier to read in one piece

from collections.abc import Callable
from random import Random
from typing import NamedTuple

from tests.worlds.files.web_page_parts import PARTS, words

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
    "landing": _landing,
    "dashboard": _dashboard,
    "article": _article,
    "office": _office,
    "quirks": _quirks,
    "fragment": _fragment,
    "slides": _slides,
    "utility": _utility,
}
