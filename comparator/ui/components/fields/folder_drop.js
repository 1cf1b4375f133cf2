// @ts-check
// A browser tells the place of each file in a folder that was chosen, as `webkitRelativePath`; of a folder that was
// dropped it tells none, and Streamlit's uploader then takes all files for files of one folder. So a dropped folder is
// read here, and dropped once more as files that say where they lie.

/** All files below an entry, a folder's in the order in which the browser lists them. */
async function filesIn(entry) {
  if (entry.isFile) {
    const file = await new Promise((found, failed) => entry.file(found, failed));
    return [Object.defineProperty(file, "webkitRelativePath", { value: entry.fullPath.replace(/^\//, "") })];
  }
  const reader = entry.createReader();
  const files = [];
  for (;;) {
    const batch = await new Promise((found, failed) => reader.readEntries(found, failed));
    if (!batch.length) return files;
    for (const inner of batch) files.push(...(await filesIn(inner)));
  }
}

export default function ({ parentElement, data }) {
  const page = parentElement.ownerDocument;
  const uploader = `.st-key-${CSS.escape(data)}`;
  const dropped = async (event) => {
    if (!event.isTrusted || !event.target.closest?.(uploader)) return;
    // The browser names what was dropped only until this event is over.
    const entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry()).filter(Boolean);
    if (!entries.some((entry) => entry.isDirectory)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    // A folder that cannot be read whole is not taken in part.
    const files = await Promise.all(entries.map(filesIn)).then((lists) => lists.flat(), () => []);
    const again = new Event("drop", { bubbles: true, cancelable: true });
    const items = files.map((file) => ({ kind: "file", type: file.type, getAsFile: () => file }));
    Object.defineProperty(again, "dataTransfer", { value: { types: ["Files"], items, files } });
    page.querySelector(`${uploader} input`)?.dispatchEvent(again);
  };
  page.addEventListener("drop", dropped, true);
  return () => page.removeEventListener("drop", dropped, true);
}
