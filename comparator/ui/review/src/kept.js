// What the browser keeps: changes that the server has not stored yet, the reviewer's place in a pair, small choices.

const LETTERS = "abcdefghijklmnopqrstuvwxyz234567";

export const newId = () =>
	Array.from(crypto.getRandomValues(new Uint8Array(20)), (byte) => LETTERS[byte & 31]).join("");

// Null where there is no value or storage is closed to us.
export function kept(name, storage = () => localStorage) {
	try {
		return JSON.parse(storage().getItem(name));
	} catch {
		return null;
	}
}

export function keep(name, value, storage = () => localStorage) {
	try {
		if (value === null) storage().removeItem(name);
		else storage().setItem(name, JSON.stringify(value));
	} catch {}
}

export const ofTab = () => sessionStorage;

// Changes and notes in localStorage, so that no reload, second tab or dead server loses one. The server goes by id.
export class Outbox {
	items = [];
	sent = new Set();

	constructor(prefix) {
		this.prefix = prefix;
		let names = [];
		try {
			names = Object.keys(localStorage);
		} catch {}
		for (const name of names.filter((name) => name.startsWith(prefix))) {
			const item = kept(name);
			if (typeof item?.id === "string") this.items.push(item);
			else keep(name, null);
		}
		this.items.sort((a, b) => a.made - b.made);
	}

	// Under a new id, since another tab may have sent an earlier item, which it replaces.
	put(change) {
		const last = this.items.at(-1);
		const made = Math.max(Date.now(), (last?.made ?? 0) + 1);
		const item = { id: newId(), ...(change.do ? {} : { reason: "", code: "" }), ...change, made };
		const joins = (other) =>
			item.typing
				? other.typing && other.target === item.target
				: item.do === "look" && other === last && other.do === "look";
		const joined = this.items.filter((other) => !this.sent.has(other.id) && joins(other));
		if (item.do === "look") item.files = [...new Set([...joined, item].flatMap(({ files }) => files))];
		this.drop(new Set(joined.map(({ id }) => id)));
		this.items.push(item);
		keep(this.prefix + item.id, item);
		return item;
	}

	drop(ids) {
		for (const item of this.items) if (ids.has(item.id)) keep(this.prefix + item.id, null);
		this.items = this.items.filter((item) => !ids.has(item.id));
	}

	get changes() {
		return this.items.filter((item) => !item.do);
	}

	get notes() {
		return this.items.filter((item) => item.do);
	}

	outgoing() {
		for (const item of this.items) this.sent.add(item.id);
		const bare = ({ made, typing, ...item }) => item;
		return { changes: this.changes.map(bare), notes: this.notes.map(bare) };
	}

	get unsent() {
		return this.items.some((item) => !this.sent.has(item.id));
	}

	last(target) {
		return this.changes.findLast((item) => item.target === target);
	}
}

const placeName = (pair) => `comparator:panes:${pair}`;
export const placeIn = (pair) => ({
	file: null,
	linked: true,
	side: "both",
	files: {},
	...kept(placeName(pair), ofTab),
});
export const keepPlace = (pair, place) => keep(placeName(pair), place, ofTab);
