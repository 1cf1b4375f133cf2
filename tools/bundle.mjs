// Makes one file of each component's modules, since Streamlit resolves no relative imports; --check compares instead.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const COMPONENTS = fileURLToPath(new URL("../comparator/ui/components/", import.meta.url));
const BUNDLES = {
  "sheet/sheet.bundle.js": "sheet/js/main.js",
  "panes/panes.bundle.js": "panes/js/main.js",
  "panes/notes.bundle.js": "panes/notes/notes.js",
  // In one script, which comes before everything of an output's own page.
  "../../web/media/agent.bundle.js": "panes/js/inside/agent.js",
};

const check = process.argv.includes("--check");
const stale = [];
for (const [bundle, entry] of Object.entries(BUNDLES)) {
  const made = await build({
    entryPoints: [COMPONENTS + entry],
    bundle: true,
    write: false,
    format: bundle.includes("agent") ? "iife" : "esm",
    target: "es2022",
    charset: "utf8",
    // Half the bytes: a browser reads them anew for each tab, before the outputs are drawn.
    minify: true,
    // Streamlit takes a single line for a path.
    lineLimit: 120,
    legalComments: "none",
    banner: { js: `// Made by \`npm run bundle\` from ${entry}; do not edit.` },
  });
  const text = made.outputFiles[0].text;
  const path = COMPONENTS + bundle;
  if (existsSync(path) && readFileSync(path, "utf8") === text) continue;
  if (check) stale.push(bundle);
  else writeFileSync(path, text);
}
if (stale.length) {
  console.error(`Not what their modules make: ${stale.join(", ")}. Run: npm run bundle`);
  process.exit(1);
}
