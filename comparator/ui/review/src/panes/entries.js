// @ts-check
// The lines of the file list: pairs, files that stand alone, the task's own files; their names and what they are called.

import { h, middle } from "../dom.js";

export const ROLES = { input: "Task input", reference: "Reference answer" };
export const KINDS = {
	same_path: { chip: "Same path", tag: "", says: "in A and B under the same path" },
	same_role: { chip: "Other name", tag: "other name", says: "the same deliverable under another name" },
	renamed: { chip: "Renamed", tag: "renamed?", says: "probably renamed" },
	by_hand: { chip: "By hand", tag: "by hand", says: "paired by hand" },
	only_a: { chip: "Only in A", tag: "", says: "only in A" },
	only_b: { chip: "Only in B", tag: "", says: "only in B" },
	identical: { chip: "Identical", tag: "same", says: "identical in A and B" },
	same_text: {
		chip: "Same text",
		tag: "same text, different layout",
		says: "with the same text and a different layout",
	},
	same_words: { chip: "Same text", tag: "same text", says: "with the same text; the layout is not compared" },
	task: { chip: "Task", tag: "", says: "of the task" },
};

export function fileOf(row) {
	if (!row) return null;
	const [id, name, family, size, notes, pages] = row;
	return { id, name, family, size, notes: notes || [], pages: Boolean(pages) };
}

export function entriesOf(data) {
	const pairs = data.pairs.map(([a, b, pairing, identical, byHand, sameText]) => {
		const entry = {
			a: fileOf(a),
			b: fileOf(b),
			identical: Boolean(identical),
			byHand: Boolean(byHand),
			role: null,
		};
		const isSeen = (file) => file.pages || file.family === "pdf";
		const alike = sameText && (isSeen(entry.a) && isSeen(entry.b) ? "same_text" : "same_words");
		return finished(entry, identical ? "identical" : alike || pairing);
	});
	const extras = data.extras.map(([role, file]) =>
		finished({ a: fileOf(file), b: null, identical: false, byHand: false, role }, "task"),
	);
	return [...pairs, ...extras];
}

function finished(entry, kind) {
	entry.kind = kind;
	entry.files = [entry.a, entry.b].filter(Boolean);
	entry.id = entry.role ? entry.a.id : `${entry.a?.id || ""}.${entry.b?.id || ""}`;
	entry.names = [...new Set(entry.files.map((file) => file.name))];
	entry.low = entry.names.join("\n").toLowerCase();
	const first = entry.names[0] || "";
	entry.folder = first.includes("/") ? first.slice(0, first.lastIndexOf("/")) : "";
	return entry;
}

export const isLooked = (entry, looked) => entry.files.every((file) => looked.has(file.id));
const leaf = (name) => name.slice(name.lastIndexOf("/") + 1);

// What an entry is called in one line; within its folder's group without the folder. The other name of a pair loses
// the folder that both have.
export function titleOf(entry, most, short = false) {
	const names = entry.names.map((name, index) =>
		(short || index > 0) && name.slice(0, Math.max(0, name.lastIndexOf("/"))) === entry.folder
			? leaf(name)
			: name,
	);
	return names.map((name) => middle(name, names.length > 1 ? Math.floor(most * 0.6) : most)).join(" ⇄ ");
}

export function whereOf(entry) {
	const where = entry.role ? ROLES[entry.role] || entry.role : KINDS[entry.kind].says;
	return entry.byHand && entry.kind !== "by_hand" ? `${where}, by hand` : where;
}

export const marksOf = (entry) =>
	entry.role
		? []
		: ["a", "b"].map((side) =>
				h("b", { class: `side ${entry[side] ? side : "none"}` }, entry[side] ? side.toUpperCase() : "–"),
			);
