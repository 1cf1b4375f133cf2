"""Parts of web pages, each with what it needs of modern CSS or HTML: rules and markup that a page is put together from."""

# ruff: noqa: E501, ISC004 - markup is easier to read in one piece

from __future__ import annotations

import base64
import io
import urllib.parse
from collections.abc import Callable
from random import Random

from PIL import Image, ImageDraw

from tests.worlds.files.tiny_font import tiny_font

Part = tuple[str, str]
"""Rules of the style sheet, and markup."""

FONT = base64.b64encode(tiny_font()).decode()
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


def nesting(rng: Random) -> Part:
    hue = rng.randrange(360)
    return (
        f".nest {{ border: 2px solid hsl({hue} 50% 40%); padding: 12px; & > b {{ color: hsl({hue} 80% 30%); &::after {{ content: ' →'; }} }}"
        " @media (max-width: 600px) { padding: 4px; & > b { display: block; } } .deep & { margin: 1em; } }",
        f"<div class=deep><div class=nest><b>{words(rng, 3)}</b> {words(rng, 12)}</div></div>",
    )


def layers(rng: Random) -> Part:
    return (
        "@layer base, theme; @layer theme { .layered { background: #e8f4ea; } } @layer base { .layered { background: red; color: #123; padding: 10px; } }"
        " @layer theme.inner { .layered b { letter-spacing: 2px; } }",
        f"<p class=layered><b>{words(rng, 4)}</b> {words(rng, 10)}</p>",
    )


def containers(rng: Random) -> Part:
    return (
        ".holder { container: holder / inline-size; width: 60%; } .inside { font-size: 14px; }"
        " @container holder (width > 400px) { .inside { display: flex; gap: 1cqi; font-size: 4cqi; } }",
        f"<div class=holder><div class=inside><span>{words(rng, 2)}</span><span>{words(rng, 3)}</span></div></div>",
    )


def has_selector(rng: Random) -> Part:
    return (
        "label:has(input:checked) { font-weight: 700; background: gold; } section:has(> h3 + p) { outline: 1px dashed teal; } p:not(:has(em)):is(.said) { opacity: .6 }",
        f"<section><h3>{words(rng, 2)}</h3><p class=said>{words(rng, 9)}</p><label><input type=checkbox checked> {words(rng, 2)}</label> <label><input type=checkbox> {words(rng, 2)}</label></section>",
    )


def grid(rng: Random) -> Part:
    cells = "".join(
        f"<article><h4>{words(rng, 2)}</h4><p>{words(rng, rng.randrange(4, 16))}</p><small>{words(rng, 1)}</small></article>"
        for _ in range(5)
    )
    return (
        ".cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(220px, 100%), 1fr)); gap: 14px; grid-auto-rows: auto }"
        " .cards article { display: grid; grid-row: span 3; grid-template-rows: subgrid; border: 1px solid #ccd; border-radius: 10px; padding: 10px; box-shadow: 0 2px 8px rgb(0 0 0 / .12); }",
        f"<div class=cards>{cells}</div>",
    )


def properties(rng: Random) -> Part:
    return (
        f"@property --turn {{ syntax: '<angle>'; inherits: false; initial-value: {rng.randrange(20, 160)}deg; }} :root {{ --ink: #24324a; --space: calc(4px * 3); --font: 'Georgia', serif }}"
        " .vars { background: linear-gradient(var(--turn), oklch(80% .1 200), color-mix(in srgb, white, var(--ink) 30%)); padding: var(--space); font-family: var(--font); color: var(--missing, var(--ink)); }",
        f"<div class=vars>{words(rng, 14)}</div>",
    )


def supports(rng: Random) -> Part:
    return (
        "@supports (display: grid) and (not (display: nonsense)) { .sup { text-decoration: underline wavy #c33; } } @supports (foo: bar) { .sup { display: none } }"
        " @supports selector(:focus-visible) { .sup { border-left: 4px solid #36c; padding-left: 8px; } }",
        f"<p class=sup>{words(rng, 8)}</p>",
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


def animation(rng: Random) -> Part:
    return (
        "@keyframes slide { from { transform: translateX(30px) rotate(2deg); opacity: .5 } to { transform: none; opacity: 1 } } .moves { animation: slide 3s ease-in-out infinite alternate; background: #dff; width: 200px; padding: 8px } .moves:hover { transition: all .3s }",
        f"<div class=moves>{words(rng, 3)}</div>",
    )


def scrolling(rng: Random) -> Part:
    return (
        "html { scroll-behavior: smooth; } body { overscroll-behavior: contain; } .snap { overflow: auto; height: 90px; scroll-snap-type: y mandatory; overscroll-behavior-y: none; border: 1px solid #999 } .snap p { scroll-snap-align: start }",
        f"<div class=snap tabindex=0>{''.join(f'<p>{words(rng, 12)}</p>' for _ in range(4))}</div>",
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


def dialogs(rng: Random) -> Part:
    return (
        "dialog { position: static; border: 3px double #557; border-radius: 8px } dialog::backdrop { background: #0008 } [popover] { background: pink } .opens { padding: 6px 14px; border-radius: 99px; border: 0; background: #224; color: #fff }",
        f"<dialog open><form method=dialog><p>{words(rng, 6)}</p><button>{words(rng, 1)}</button></form></dialog><dialog>closed</dialog><button class=opens popovertarget=pop>{words(rng, 1)}</button><div id=pop popover>{words(rng, 4)}</div>",
    )


def table(rng: Random) -> Part:
    rows = "".join(
        f"<tr><th scope=row>{words(rng, 1)}<td>{rng.randrange(999)}<td>{rng.random():.2f}<td align=right>{words(rng, 2)}</tr>"
        for _ in range(5)
    )
    return (
        "table.t { border-collapse: collapse; width: 100% } .t th, .t td { border-bottom: 1px solid #ccc; padding: 5px 9px; text-align: left } .t tbody tr:nth-child(even of tr) { background: #f3f6fa } .t caption { caption-side: bottom; font-style: italic } .t td:nth-last-child(2) { font-variant-numeric: tabular-nums }",
        f"<table class=t><caption>{words(rng, 4)}</caption><colgroup><col span=2><col style='background:#ffe'></colgroup><thead><tr><th>{words(rng, 1)}<th colspan=2>{words(rng, 2)}<th>{words(rng, 1)}</thead><tbody>{rows}</tbody><tfoot><tr><td colspan=4>{words(rng, 6)}</tfoot></table>"
        f"<table border=1 cellpadding=6 bgcolor=#eeeeff width=300><tr valign=top><td rowspan=2>{words(rng, 2)}<td nowrap>{words(rng, 3)}<tr><td height=40>{words(rng, 1)}</table>",
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


def mathematics(rng: Random) -> Part:
    return (
        "math { font-size: 1.4em } math[display=block] { background: #f6f6ee; padding: 8px }",
        f"<math display=block><mi>x</mi><mo>=</mo><mfrac><mrow><mo>−</mo><mi>b</mi><mo>±</mo><msqrt><msup><mi>b</mi><mn>2</mn></msup><mo>−</mo><mn>{rng.randrange(2, 9)}</mn><mi>a</mi><mi>c</mi></msqrt></mrow><mrow><mn>2</mn><mi>a</mi></mrow></mfrac></math>"
        "<p><math><munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>0</mn></mrow><mi>n</mi></munderover><mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>0</mn></mtd></mtr></mtable></math></p>",
    )


def custom(rng: Random) -> Part:
    return (
        "my-card { display: block; border: 2px solid #696; padding: 8px } my-card:not(:defined) { background: #f2fff2 } x-star::before { content: '★★★'; color: goldenrod } ::part(head) { color: #909 }",
        f"<my-card kind=wide><template shadowrootmode=open><style>:host {{ font-family: serif }} h4 {{ margin: 0; border-bottom: 1px solid }} ::slotted(b) {{ color: crimson }}</style><h4 part=head>{words(rng, 2)}</h4><slot></slot></template><b>{words(rng, 3)}</b> <x-star></x-star></my-card><template><p>never seen</p></template>",
    )


def long_text(rng: Random) -> Part:
    return (
        ".long { columns: 2 220px; column-rule: 1px solid #bbb; hyphens: auto; text-wrap: pretty; } .long p::first-letter { font-size: 2.4em; float: left; line-height: .9; padding-right: 4px } .long p:first-of-type::first-line { font-variant: small-caps }",
        f"<div class=long lang=en>{''.join(f'<p>{words(rng, 60)}</p>' for _ in range(3))}<p>Zürich · naïve — “quoted” … 日本語の文章 · العربية · 😀 &amp; &lt;b&gt; &nbsp;&copy;&hellip; a&shy;b</p></div>",
    )


def broken(rng: Random) -> Part:
    return (
        ".b i { color: #06c } .never { color: red; .x { } .odd:nth-child( { color: blue } .after { background: #dfd }",
        f"<div class=b><b><i>{words(rng, 2)}</b> still</i> {words(rng, 3)}<p>one<p>two<div>in p</div></p><ul><li>a<li>b<ul><li>c</ul></ul><table><tr><td>x</td>lost words</tr><b>bold in table</table><a href=#x>one <a href=#y>two</a></a><h2 class=after id=x id=y>{words(rng, 3)}</h3><form><form><input></form></form><font color=#900 size=4>{words(rng, 2)}<center>middle</center></font>&notanentity; & &copy &#x80; < 5 </div></div></section>",
    )


def links(rng: Random) -> Part:
    return (
        "a:link { color: #0a58ca; text-underline-offset: 3px } a[href] { font-weight: 600 } a:not([href]) { color: gray } nav.n { display: flex; gap: 12px; flex-wrap: wrap; position: sticky; top: 0; background: #fffd } a[target=_blank]::after { content: ' ↗' } :any-link:hover { color: red } a[href^='http']:not([href*='here.example.com']) { border-bottom: 2px dotted #c33 } a[href^='https://example.com'] { background: #eef } a[href$='.pdf' i]::after { content: ' (PDF)' } a[href^='mailto:']::before { content: '✉ ' } a[href^='tel:'] { letter-spacing: 1px } a[href='other.html'] { font-style: italic } a[href^='/'] { text-transform: uppercase } a[href*='/docs/'] { color: #070 } a[href^='#'] { color: #a50 }",
        f"<nav class=n><a href='https://example.com/a?b=1&c=2'>{words(rng, 1)}</a><a href=#top>{words(rng, 1)}</a><a>{words(rng, 1)}</a><a href=mailto:a@example.com>{words(rng, 1)}</a><a href=other.html target=_blank rel=noopener>{words(rng, 1)}</a><a href='https://example.com/plan.PDF#page=2'>{words(rng, 1)}</a><a href='//example.com/docs/plan.pdf'>{words(rng, 1)}</a><a href=/docs/a>{words(rng, 1)}</a><a href='http://here.example.com'>{words(rng, 1)}</a><a href=tel:+491>{words(rng, 1)}</a><a href='../up.pdf'>{words(rng, 1)}</a><a href='javascript:void(0)'>{words(rng, 1)}</a></nav>",
    )


def players(rng: Random) -> Part:
    return (
        "video, canvas, iframe, object { border: 2px solid #345; border-radius: 6px; background: #eef } audio { display: block }",
        f'<video width=220 height=120 poster="{_photo(rng, 220, 120)}"></video><canvas width=160 height=60>no canvas</canvas><iframe width=200 height=60 srcdoc="<style>body{{background:#fea}}</style><p>{words(rng, 3)}</p>"></iframe><audio></audio>',
    )


def effects(rng: Random) -> Part:
    return (
        ".fx { background: radial-gradient(circle at 30% 30%, #f9c, #63c); color: #fff; padding: 20px; clip-path: polygon(0 0, 100% 0, 96% 100%, 4% 100%); filter: saturate(1.3); mix-blend-mode: multiply; text-shadow: 1px 1px 2px #0006 } .glass { backdrop-filter: blur(3px); background: #fff6; writing-mode: vertical-rl; float: right; height: 70px } .mask { height: 30px; background: #363; mask-image: linear-gradient(90deg, #000, transparent) } .count { counter-reset: n } .count li { counter-increment: n; list-style: none } .count li::before { content: counters(n, '.') ') ' }",
        f"<div class=fx><div class=glass>{words(rng, 2)}</div>{words(rng, 10)}</div><div class=mask></div><ol class=count><li>{words(rng, 2)}<li>{words(rng, 2)}</ol>",
    )


def unscripted(rng: Random) -> Part:
    return (
        ".js-only { display: none } script + p { color: #070 } noscript p { border: 1px solid orange }",
        f"<script>document.body.innerHTML = 'gone'</script><p>{words(rng, 4)}</p><noscript><p>{words(rng, 5)} <b>without scripts</b></p></noscript><div id=root></div><div class=js-only>never</div><button onclick=\"alert(1)\">{words(rng, 1)}</button><!-- a comment -->",
    )


def direction(rng: Random) -> Part:
    return (
        "[dir=rtl] { border-inline-start: 5px solid #777; padding-inline: 8px } :lang(he) { font-size: 1.1em } ruby { ruby-position: over } q { quotes: '«' '»' }",
        f"<p dir=rtl lang=he>שלום עולם {rng.randrange(99)} abc</p><p><ruby>漢<rt>kan</rt>字<rt>ji</rt></ruby> <bdo dir=rtl>{words(rng, 2)}</bdo> <q>{words(rng, 2)}</q> <kbd>Ctrl</kbd> <mark>{words(rng, 1)}</mark> <del>x</del> <sub>2</sub><wbr></p><pre>  kept\n\tas it is</pre>",
    )


PARTS: tuple[Callable[[Random], Part], ...] = (
    *(
        nesting,
        layers,
        containers,
        has_selector,
        grid,
        properties,
        supports,
        imported,
        font,
        animation,
        scrolling,
    ),
    *(
        pictures,
        drawn_background,
        drawing,
        details,
        dialogs,
        table,
        form,
        mathematics,
        custom,
        long_text,
        broken,
    ),
    *(links, players, effects, unscripted, direction),
)
