// @ts-check
// One line above the outputs: what is to be known of the pair, each finding opened by a click, and the judge at work.
// The score sheet says what stands in it; a pair without findings has no such line.

import { button, element } from "./dom.js";

export class Findings {
  constructor() {
    this.place = null;
    this.open = null;
    this.detail = { findings: [], step: "" };
    this.about = element("div", { attributes: { class: "about", id: "bc-finding", hidden: true } });
    this.line = element("div", { attributes: { class: "told", role: "status" } });
    this.node = element("div", { attributes: { class: "findings", "aria-label": "Findings about this pair", role: "region", hidden: true }, children: [this.line, this.about] });
    this.onTold = (event) => {
      if (event.detail?.place !== this.place) return;
      this.detail = event.detail;
      this.draw();
    };
    window.addEventListener("comparator:findings", this.onTold);
  }

  close() {
    window.removeEventListener("comparator:findings", this.onTold);
  }

  moved(place) {
    this.place = place;
    this.open = null;
    this.detail = { findings: [], step: "" };
    this.draw();
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
