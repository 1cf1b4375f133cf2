// @ts-check
// Draws each Mermaid diagram of a page below a bar, whose colour says whether it could be drawn.

/** @param {any} mermaid */
export async function draw(mermaid) {
  const sources = JSON.parse(document.getElementById("sources").textContent);
  mermaid.initialize({
    startOnLoad: false, securityLevel: "strict", theme: "default", maxTextSize: 20000, suppressErrorRendering: true, fontFamily: "sans-serif",
  });
  for (const [number, source] of sources.entries()) {
    const bar = document.createElement("hr");
    const one = document.createElement("div");
    one.className = "one";
    document.body.append(bar, one);
    try {
      one.innerHTML = (await mermaid.render(`diagram${number}`, source)).svg;
    } catch {
      bar.className = "failed";
    }
  }
  document.body.append(document.createElement("hr"));
}
