// Draws each Mermaid diagram that the app sends, in an origin without a network.

// @ts-ignore: the server puts the address of Mermaid here.
import mermaid from "mermaid-core";

mermaid.initialize({
  startOnLoad: false, securityLevel: "strict", theme: "default", maxTextSize: 20000, suppressErrorRendering: true,
  fontFamily: "sans-serif", htmlLabels: false,
  ...Object.fromEntries(["flowchart", "sequence", "gantt", "er", "journey", "class", "state", "pie"].map((kind) => [kind, { useMaxWidth: false, htmlLabels: false }])),
});
addEventListener("message", async ({ source, data }) => {
  if (source !== parent) return;
  let drawing = null;
  try {
    drawing = (await mermaid.render(`diagram${data.id}`, data.source)).svg;
  } catch {
    // The pane says so.
  }
  parent.postMessage({ comparatorDiagram: { id: data.id, drawing } }, "*");
});
parent.postMessage({ comparatorDiagram: { id: 0 } }, "*");
