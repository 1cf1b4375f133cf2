"""Parts of web pages, each with what it needs of modern CSS or HTML: rules and markup that a page is put together from."""

# ruff: noqa: E501, ISC004 - markup is easier to read in one piece

import base64
import io
import urllib.parse
from collections.abc import Callable
from pathlib import Path
from random import Random

from PIL import Image, ImageDraw

Part = tuple[str, str]
"""Rules of the style sheet, and markup."""

FONT = base64.b64encode(Path(__file__).with_name("boxes.ttf").read_bytes()).decode()
"""A font whose letters are boxes: what is set in it cannot be taken for any other font."""
_WORDS = [
    "harbour",
    "ledger",
    "orchard",
    "signal",
    "copper",
    "meadow",
    "lantern",
    "river",
    "winter",
    "engine",
    "garden",
    "market",
    "bridge",
    "paper",
    "stone",
    "window",
    "letter",
    "morning",
    "valley",
    "figure",
    "shelter",
    "silver",
    "number",
    "island",
]


def words(rng: Random, count: int) -> str:
    """So many words, as a sentence."""
    return " ".join(rng.choice(_WORDS) for _ in range(count)).capitalize() + "."


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
    kinds = [
        "text",
        "password",
        "email",
        "url",
        "tel",
        "search",
        "number",
        "range",
        "date",
        "month",
        "week",
        "time",
        "datetime-local",
        "color",
        "checkbox",
        "radio",
        "file",
        "submit",
        "reset",
        "button",
        "hidden",
        "image",
    ]
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
    fields = "".join(f"<label>{kind} <input type={kind} {values.get(kind, '')}></label>" for kind in kinds)
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
    has_selector,
    imported,
    font,
    pictures,
    drawn_background,
    drawing,
    details,
    form,
    custom,
    links,
    unscripted,
)
