"""Pages that are nothing without their scripts: each with what is done to it, and what it says then."""
# ruff: noqa: E501 # pages as their authors write them

import re
from pathlib import Path
from typing import NamedTuple

import plotly
import streamlit as st

PAGE = "index.html"
_CHUNKS = Path(st.__file__).parent / "static/static/js"
_HEAD = (
    '<!doctype html><html lang="en"><head><meta charset="utf-8">'
    '<meta name="viewport" content="width=device-width"><style>body { font: 16px sans-serif; margin: 20px }</style>'
)


class ScriptPage(NamedTuple):
    """A page with the files beside it. `steps` are a kind, a selector and a value; `says` stands on it afterwards."""

    name: str
    files: dict[str, str]
    says: str
    steps: tuple[tuple[str, str, str], ...] = ()


def _page(name: str, body: str, says: str, *steps: tuple[str, str, str], **beside: str) -> ScriptPage:
    files = {PAGE: f"{_HEAD}</head><body>{body}</body></html>"}
    return ScriptPage(name, files | {path.replace("__", "/").replace("_dot_", "."): text for path, text in beside.items()},
                      says, steps)  # fmt: skip


def _chunk(beginning: str) -> str:
    """One of the modules of which Streamlit's own React is made."""
    return next(_CHUNKS.glob(f"{beginning}.*.js")).read_text("utf-8")


def _react_in_one_file() -> str:
    """React and its DOM as one script that sets `React` and `ReactDOM`."""
    out = []
    for name, beginning in (
        ("R", "rolldown-runtime"),
        ("E", "emotion-is-prop-valid.esm"),
        ("D", "react-dom"),
    ):
        text = _chunk(beginning)
        text = re.sub(r'import\{([^}]*)\}from"\./rolldown[^"]*";', r"const {\1} = R;", text)
        text = re.sub(r'import\{([^}]*)\}from"\./emotion[^"]*";', r"const {\1} = E;", text)
        text = re.sub(
            r"const \{([^}]*)\} =", lambda match: f"const {{{match[1].replace(' as ', ': ')}}} =", text
        )
        exports = re.search(r"export\{([^}]*)\};?\s*$", text)
        assert exports is not None, beginning
        pairs = (pair.split(" as ") for pair in exports[1].split(","))
        named = ", ".join(f"{pair[-1]}: {pair[0]}" for pair in pairs)
        out.append(f"const {name} = (() => {{ {text[: exports.start()]}; return {{{named}}}; }})();")
    script = "\n".join((*out, "const React = E.r(), ReactDOM = D.t();"))
    return script.replace("</script", "<\\/script")


_TODO = """<div id="root"></div><script>
REACT
const h = React.createElement;
function Todo() {
  const [items, setItems] = React.useState(["water the beans"]);
  const [text, setText] = React.useState("");
  const add = (event) => { event.preventDefault(); setItems([...items, text]); setText(""); };
  return h("form", { onSubmit: add }, h("h1", null, items.length + " things"),
    h("ul", null, items.map((item) => h("li", { key: item }, item))),
    h("input", { value: text, onChange: (event) => setText(event.target.value) }), h("button", null, "Add"));
}
ReactDOM.createRoot ? ReactDOM.createRoot(document.getElementById("root")).render(h(Todo))
  : ReactDOM.render(h(Todo), document.getElementById("root"));
</script>"""
_WASM = (
    "0,97,115,109,1,0,0,0,1,7,1,96,2,127,127,1,127,3,2,1,0,7,7,1,3,97,100,100,0,0,10,9,1,7,0,32,0,32,1,106,11"
)


def script_pages() -> tuple[ScriptPage, ...]:
    """All of them; the first ones are the quick ones."""
    return (
        _page(
            "counter",
            '<button onclick="n.textContent = +n.textContent + 1">More</button> <b id="n">0</b>',
            "2",
            ("click", "button", ""),
            ("click", "button", ""),
        ),
        _page(
            "modules and JSON beside the page",
            '<h1 id="t"></h1><ul></ul><script type="module" src="src/app.js"></script>',
            "North 300",
            src__app_dot_js="""import { row } from "./row.js";
const data = await (await fetch(new URL("../data/harvest.json", import.meta.url))).json();
document.getElementById("t").textContent = data.title;
const { total } = await import("./total.js");
document.querySelector("ul").innerHTML = [...data.rows.map(row), `<li>All ${total(data.rows)}</li>`].join("");""",
            src__row_dot_js="export const row = ([field, kg]) => `<li>${field} ${kg}</li>`;",
            src__total_dot_js="export const total = (rows) => rows.reduce((sum, [, kg]) => sum + kg, 0);",
            data__harvest_dot_json='{"title": "Harvest", "rows": [["North", 300], ["South", 120]]}',
        ),
        _page(
            "canvas chart",
            """<h1>Rain</h1><canvas width="400" height="200"></canvas><p></p><script>
const pen = document.querySelector("canvas").getContext("2d"); pen.font = "14px sans-serif";
[40, 90, 150, 60].forEach((mm, n) => { pen.fillStyle = `hsl(${n * 60} 60% 50%)`; pen.fillRect(20 + n * 90, 180 - mm, 60, mm);
pen.fillStyle = "#000"; pen.fillText(mm + " mm", 25 + n * 90, 175 - mm); });
document.querySelector("p").textContent = document.querySelector("canvas").toDataURL().length > 1000 ? "drawn" : "empty";
</script>""",
            "drawn",
        ),
        _page(
            "game",
            """<style>button { width: 60px; height: 60px; font-size: 24px } #b { display: grid; width: 190px;
grid-template-columns: repeat(3, 1fr) }</style><div id="b"></div><p id="s">X to move</p><script>
let turn = "X"; const lines = [[0,1,2],[3,4,5],[6,7,8],[0,3,6],[1,4,7],[2,5,8],[0,4,8],[2,4,6]];
const cells = Array.from({ length: 9 }, (_, n) => { const cell = document.createElement("button"); cell.id = "c" + n;
cell.addEventListener("click", () => { if (cell.textContent) return; cell.textContent = turn; turn = turn === "X" ? "O" : "X";
const won = lines.find((line) => line.every((m) => cells[m].textContent && cells[m].textContent === cells[line[0]].textContent));
s.textContent = won ? cells[won[0]].textContent + " wins" : turn + " to move"; }); b.append(cell); return cell; });
</script>""",
            "X wins",
            *(("click", f"#c{n}", "") for n in (0, 3, 1, 4, 2)),
        ),
        _page(
            "form wizard",
            """<form><fieldset><legend>Step <span id="n">1</span> of 3</legend><label id="l">Name <input required></label>
<p id="e" style="color: crimson"></p><button>Next</button></fieldset></form><output></output><script>
const asked = ["Name", "Field", "Kilograms"], said = []; const input = document.querySelector("input");
document.querySelector("form").addEventListener("submit", (event) => { event.preventDefault();
if (said.length === 2 && !/^[0-9]+$/.test(input.value)) { e.textContent = "A number, please"; return; }
said.push(input.value); input.value = ""; e.textContent = "";
if (said.length === 3) { document.querySelector("form").remove(); document.querySelector("output").textContent = said.join(" / "); return; }
n.textContent = said.length + 1; l.firstChild.data = asked[said.length] + " "; });
</script>""",
            "Anna / North / 300",
            ("type", "input", "Anna"),
            ("press", "input", "Enter"),
            ("type", "input", "North"),
            ("click", "button", ""),
            ("type", "input", "many"),
            ("click", "button", ""),
            ("type", "input", "300"),
            ("click", "button", ""),
        ),
        _page(
            "React in one file",
            _TODO.replace("REACT", _react_in_one_file()),
            "2 things",
            ("type", "input", "pick the plums"),
            ("click", "button", ""),
        ),
        _page(
            "chart of a library beside the page",
            """<div id="p" style="width: 640px; height: 400px"></div><script src="lib/plotly.js"></script><script>
Plotly.newPlot("p", [{ type: "bar", x: ["North", "South"], y: [300, 120] }], { title: { text: "Harvest" } }, { staticPlot: true });
</script>""",
            "Harvest",
            lib__plotly_dot_js=(Path(plotly.__file__).parent / "package_data/plotly.min.js").read_text(
                "utf-8"
            ),
        ),
        _page(
            "kept in storage",
            """<button>Visit</button><p></p><script>
const show = () => { document.querySelector("p").textContent = `${localStorage.getItem("visits") ?? 0} visits, ${localStorage.length}`; };
document.querySelector("button").onclick = () => { localStorage.visits = +(localStorage.visits ?? 0) + 1; show(); }; show();
</script>""",
            "2 visits, 1",
            ("click", "button", ""),
            ("click", "button", ""),
        ),
        _page(
            "drawing of a script",
            """<svg viewBox="0 0 300 100" width="600"></svg><p></p><script>
const svg = document.querySelector("svg"), kind = svg.namespaceURI;
[10, 60, 30, 90].forEach((y, n) => { const dot = document.createElementNS(kind, "circle");
for (const [name, value] of Object.entries({ cx: 30 + n * 80, cy: 100 - y, r: 8, fill: "teal" })) dot.setAttribute(name, value);
dot.addEventListener("mouseenter", () => { document.querySelector("p").textContent = `point ${n}: ${y}`; dot.setAttribute("type", "tomato"); });
svg.append(dot); });
</script>""",
            "point 1: 60",
            ("hover", "circle:nth-child(2)", ""),
        ),
        _page(
            "keys move a square",
            """<div tabindex="0" style="width: 300px; height: 200px; background: #eee; position: relative"><i style="position: absolute;
width: 20px; height: 20px; background: navy"></i></div><p></p><script>
let x = 0, y = 0; const step = { ArrowRight: [20, 0], ArrowDown: [0, 20] };
document.querySelector("div").addEventListener("keydown", (event) => { const [dx, dy] = step[event.key] ?? [0, 0]; event.preventDefault();
x += dx; y += dy; document.querySelector("i").style.transform = `translate(${x}px, ${y}px)`;
document.querySelector("p").textContent = `at ${x}, ${y}`; });
</script>""",
            "at 40, 20",
            ("press", "div", "ArrowRight"),
            ("press", "div", "ArrowRight"),
            ("press", "div", "ArrowDown"),
        ),
        _page(
            "modules of React beside the page",
            '<div id="root"></div><script type="module" src="app.js"></script>',
            "clicked 1",
            ("click", "button", ""),
            app_dot_js="""import { r } from "./emotion.js"; import { t } from "./dom.js"; const React = r(), DOM = t();
const Button = () => { const [n, more] = React.useState(0);
  return React.createElement("button", { onClick: () => more(n + 1) }, "clicked " + n); };
(DOM.createRoot ? DOM.createRoot(document.getElementById("root")) : { render: (it) => DOM.render(it, document.getElementById("root")) })
  .render(React.createElement(Button));""",
            emotion_dot_js=re.sub(
                r'"\./rolldown[^"]*"', '"./runtime.js"', _chunk("emotion-is-prop-valid.esm")
            ),
            dom_dot_js=re.sub(
                r'"\./emotion[^"]*"',
                '"./emotion.js"',
                re.sub(r'"\./rolldown[^"]*"', '"./runtime.js"', _chunk("react-dom")),
            ),
            runtime_dot_js=_chunk("rolldown-runtime"),
        ),
        _page(
            "table read by an old request",
            """<table></table><script>
const ask = new XMLHttpRequest(); ask.open("GET", "rows.csv"); ask.onload = () => {
const rows = ask.responseText.trim().split("\\n").map((line) => line.split(","));
document.querySelector("table").innerHTML = rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join("")}</tr>`).join("");
}; ask.send();
</script>""",
            "South",
            rows_dot_csv="field,kg\nNorth,300\nSouth,120\n",
        ),
        _page(
            "element of its own",
            """<template id="card"><style>b { color: teal } ::slotted(i) { color: tomato }</style><b>Card</b> <slot></slot></template>
<plant-card><i>beans</i></plant-card><p></p><script>
customElements.define("plant-card", class extends HTMLElement { connectedCallback() {
this.attachShadow({ mode: "open" }).append(document.getElementById("card").content.cloneNode(true));
document.querySelector("p").textContent = "made of " + this.shadowRoot.childElementCount; } });
</script>""",
            "made of 3",
        ),
        _page(
            "pages by the hash",
            """<nav><a href="#/home">Home</a> <a href="#/about">About</a></nav><main></main><script>
const show = () => { document.querySelector("main").textContent = { "#/about": "We grow beans." }[location.hash] ?? "Welcome."; };
addEventListener("hashchange", show); show();
</script>""",
            "We grow beans.",
            ("click", "a:nth-child(2)", ""),
        ),
        _page(
            "table sorted and filtered",
            """<input placeholder="Filter"><table><thead><tr><th>Field<th>kg</tr></thead><tbody></tbody></table><script>
let rows = [["North", 300], ["South", 120], ["Souk", 500]], by = 0, kept = "";
const draw = () => { document.querySelector("tbody").innerHTML = rows.filter(([name]) => name.startsWith(kept))
.sort((a, b) => (by ? b[1] - a[1] : a[0].localeCompare(b[0]))).map(([a, b]) => `<tr><td>${a}<td>${b}`).join(""); };
document.querySelectorAll("th").forEach((th, n) => { th.onclick = () => { by = n; draw(); }; });
document.querySelector("input").oninput = (event) => { kept = event.target.value; draw(); }; draw();
</script>""",
            "Souk",
            ("type", "input", "Sou"),
            ("click", "th:nth-child(2)", ""),
        ),
        _page(
            "slider that is dragged",
            """<div id="t" style="width: 300px; height: 30px; background: #ddd"><div id="h" style="width: 0; height: 30px; background: teal"></div>
</div><p>0</p><script>
t.onpointerdown = (event) => t.setPointerCapture(event.pointerId);
t.onpointermove = (event) => { if (!event.buttons) return; const share = Math.round(event.offsetX / 30) * 10;
h.style.width = share + "%"; document.querySelector("p").textContent = share + " percent"; };
</script>""",
            "percent",
            ("drag", "#t", "150"),
        ),
        _page(
            "calculator",
            """<input value="2 * (3 + 4)"><button>=</button><output></output><script>
document.querySelector("button").onclick = () => { const text = document.querySelector("input").value;
document.querySelector("output").textContent = new Function("return " + text)() + " and " + eval("6 * 7"); };
</script>""",
            "14 and 42",
            ("click", "button", ""),
        ),
        _page(
            "WebAssembly",
            f"""<p></p><script>WebAssembly.instantiate(new Uint8Array([{_WASM}])).then(({{ instance }}) => {{
document.querySelector("p").textContent = "19 + 23 = " + instance.exports.add(19, 23); }});</script>""",
            "19 + 23 = 42",
        ),
        _page(
            "parts that come into sight",
            """<div style="height: 1500px"></div><section style="height: 100px; background: #eee">waits</section><script>
new IntersectionObserver(([seen]) => { if (seen.isIntersecting) seen.target.textContent = "seen"; }).observe(document.querySelector("section"));
</script>""",
            "seen",
            ("scroll", "section", ""),
        ),
        _page(
            "import map",
            """<p></p><script type="importmap">{"imports": {"seed": "./lib/seed.js"}}</script>
<script type="module">import { seeds } from "seed"; document.querySelector("p").textContent = seeds.join(", ");</script>""",
            "bean, pea",
            lib__seed_dot_js='export const seeds = ["bean", "pea"];',
        ),
    )
