// @ts-check
// One line above the outputs: what is to be known of the pair, each finding opened by a click, and the judge at work.
// The score sheet says what stands in it; a pair without findings has no such line.

import { button, element } from "./dom.js";

const KEPT = "comparator:findings";

// Whether the pair before had such a line: most of a project's pairs are alike.
function lineBefore() {
  try {
    return localStorage.getItem(KEPT) === "shown";
  } catch {
    return false;
  }
}

function rememberLine(shown) {
  try {
    localStorage.setItem(KEPT, shown ? "shown" : "none");
  } catch {
    // Storage is closed to us.
  }
}

export class Findings {
  constructor() {
    this.place = null;
    this.open = null;
    this.detail = { findings: [], step: "" };
    this.about = element("div", { attributes: { class: "about", id: "bc-finding", hidden: true } });
    this.line = element("div", { attributes: { class: "summary", role: "status" } });
    this.node = element("div", { attributes: { class: "findings", "aria-label": "Findings about this pair", role: "region", hidden: !lineBefore() }, children: [this.line, this.about] });
    this.onFindings = (event) => {
      if (event.detail?.place !== this.place) return;
      this.detail = event.detail;
      this.draw();
      rememberLine(!this.node.hidden);
    };
    window.addEventListener("comparator:findings", this.onFindings);
  }

  close() {
    window.removeEventListener("comparator:findings", this.onFindings);
  }

  moved(place) {
    this.place = place;
    this.open = null;
    this.detail = { findings: [], step: "" };
    const { hidden } = this.node;
    this.draw();
    // The line keeps its room until it is told what stands in it, so that the outputs are laid out once.
    this.node.hidden = hidden;
    window.dispatchEvent(new CustomEvent("comparator:findings-wanted"));
  }

  draw() {
    const { findings, step } = this.detail;
    this.node.hidden = !findings.length && !step;
    const chips = findings.map((finding) => element("button", {
      attributes: { type: "button", class: `finding ${finding.tone}`, "aria-expanded": String(this.open === finding.kind), "aria-controls": "bc-finding", title: finding.about },
      text: finding.name,
      on: { click: () => { this.open = this.open === finding.kind ? null : finding.kind; this.draw(); } },
    }));
    const work = step ? [element("span", { attributes: { class: "step" }, text: `Judge: ${step} …` }), button("Stop the judge", { text: "Stop", kind: "stop", press: () => window.dispatchEvent(new CustomEvent("comparator:command", { detail: { name: "stop" } })) })] : [];
    this.line.replaceChildren(...work, ...chips);
    const shown = findings.find((finding) => finding.kind === this.open);
    this.about.hidden = !shown;
    this.about.replaceChildren(...(shown ? [shown.about, ...shown.lines.map((text) => element("blockquote", { text }))] : []));
  }
}
