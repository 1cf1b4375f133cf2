// Draws each Mermaid diagram that the app sends, in an origin without a network.

// @ts-ignore: the server puts the address of Mermaid here.
import mermaid from "mermaid-core";

mermaid.initialize({
  startOnLoad: false, securityLevel: "strict", theme: "default", maxTextSize: 20000, suppressErrorRendering: true,
  fontFamily: "sans-serif", htmlLabels: false,
  ...Object.fromEntries(["flowchart", "sequence", "gantt", "er", "journey", "class", "state", "pie"].map((kind) => [kind, { useMaxWidth: false, htmlLabels: false }])),
});
let count = 0;
addEventListener("message", async ({ source, data, ports }) => {
  if (source !== parent) return;
  count += 1;
  // Where one cannot be drawn, the pane says so.
  const drawing = await mermaid.render(`diagram${count}`, data).catch(() => null);
  ports[0].postMessage(drawing?.svg ?? null);
});
