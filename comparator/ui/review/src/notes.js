// The notes under the panes: comments, and one's own evidence.

import { button, h, link, middle } from "./dom.js";
import { keep, kept, ofTab } from "./kept.js";
import { count, moment, outcome, shown, verdictWords } from "./words.js";

const spaced = (text) => text.replace(/\s+/g, " ");

export class Notes {
	draft = null;
	sent = false;

	constructor(view) {
		this.view = view;
	}

	moved() {
		this.name = `comparator:draft:${this.view.comparisonId}`;
		this.draft = kept(this.name, ofTab);
		this.sent = false;
	}

	compose(passage = null) {
		this.draft = { passage, written: this.draft?.written || "" };
		this.change();
		const field = this.view.find(".notes textarea");
		field?.focus({ preventScroll: true });
		field?.scrollIntoView({ block: "nearest" });
	}

	change() {
		keep(this.name, this.draft, ofTab);
		this.view.render();
	}

	// Whoever ends a comment types no more: the next key is one.
	end() {
		this.draft = null;
		this.view.focused()?.blur();
		this.change();
	}

	send() {
		const { written, passage } = this.draft;
		if (!written.trim()) return;
		this.sent = true;
		this.end();
		this.view.tell({ do: "comment", text: written.trim(), passage });
	}

	key(event) {
		event.stopPropagation();
		if (event.isComposing) return;
		if (event.key === "Escape") this.end();
		if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) this.send();
	}

	draw() {
		const { comments } = this.view.given.notes;
		const before = decidedBefore(this.view);
		return h(
			"section.notes",
			{ "aria-label": "Notes" },
			before && h("div.line", { role: "status" }, h("span.says", before)),
			this.draft && this.form(),
			comments.length > 0 &&
				h(
					"details",
					{ open: this.sent },
					h("summary", count(comments.length, "comment")),
					h(
						"ul.body.threads",
						{ "aria-label": "Comments" },
						comments.map((comment) => this.comment(comment)),
					),
				),
		);
	}

	form() {
		const { passage, written } = this.draft;
		const about = passage
			? [where(passage), passage.text && h("q", middle(spaced(passage.text), 160))]
			: h("span", "On the whole comparison");
		return h(
			"div",
			h("div.about", about),
			h("textarea", {
				rows: 2,
				maxlength: 8000,
				"aria-label": "Comment",
				placeholder: "Write a comment",
				field: { value: written },
				onkeydown: (event) => this.key(event),
				oninput: (event) => {
					this.draft.written = event.target.value;
					keep(this.name, this.draft, ofTab);
				},
			}),
			h(
				"div.acts",
				h("button.main", { onclick: () => this.send() }, "Add comment"),
				button("Do not comment", () => this.end(), { text: "Cancel" }),
			),
		);
	}

	link(note) {
		return button(`Show ${note.text ? "in " : ""}${note.file}`, () => this.view.panes.quote(note), {
			text: note.text ? `“${middle(spaced(note.text), 160)}”` : `on ${middle(note.file, 60)}`,
			class: "quote",
		});
	}

	withdraw(piece) {
		if (this.view.given.notes.closed) return null;
		const label = `Withdraw this evidence: ${middle(piece.text, 60)}`;
		const press = () => this.view.tell({ do: "withdraw", text: piece.id });
		return button(label, press, { text: "Withdraw", class: "link" });
	}

	comment(comment) {
		return h(
			"li",
			{ key: comment.id },
			h(
				"div.head",
				h("b", comment.mine ? "You" : comment.author),
				moment(comment.at),
				comment.fileId && where(comment),
			),
			comment.fileId && this.link({ ...comment, text: comment.selection }),
			h("p", comment.text),
		);
	}
}

function decidedBefore(view) {
	const { before } = view;
	if (!before || view.readOnly) return null;
	const { title, versions, judgment } = before.sheet;
	const judge = judgment?.verdict ? `; judge: ${verdictWords(judgment.verdict)}` : "";
	return [
		h("b", outcome(versions.at(-1))),
		` in “${middle(shown(title.replace(/\.$/, "")), 70)}”${judge}. `,
		h("button.export", { title: "Ctrl + S", onclick: () => view.exportBefore() }, "Export comparison.json"),
		" ",
		link("Back to it", () => view.leave({ go_to: before.id })),
	];
}

const where = ({ label, file = "" }) => [
	label && h("b", { class: `side ${label.toLowerCase()}` }, label),
	h("span.file", { title: file }, middle(file, 50)),
];
