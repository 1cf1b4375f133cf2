// @ts-check
// What is on its way to the server. It is kept in the browser until the server says that it is stored.

export class NotesOutbox {
  constructor(place) {
    this.name = `comparator.notes.${place}`;
    this.items = [];
    try {
      this.items = JSON.parse(localStorage.getItem(this.name) || "[]");
    } catch {
      // Off, or written by another version.
    }
  }

  put(act) {
    // Ticks of one kind go together.
    const last = this.items.at(-1);
    if (act.do === "look" && last?.do === "look" && last.on === act.on && !last.sent && last.files.length < 500) {
      last.files = [...new Set([...last.files, ...act.files])];
    } else this.items.push({ ...act, id: noteId() });
    this.save();
  }

  drop(ids) {
    const before = this.items.length;
    this.items = this.items.filter((item) => !ids.has(item.id));
    if (this.items.length !== before) this.save();
  }

  outgoing() {
    for (const item of this.items) item.sent = true;
    return this.items.slice(0, 200).map(({ sent, ...item }) => item);
  }

  save() {
    try {
      if (this.items.length) localStorage.setItem(this.name, JSON.stringify(this.items));
      else localStorage.removeItem(this.name);
    } catch {
      // Full or off: what waits is in memory, and is sent from there.
    }
  }
}

// 20 characters of the alphabet that all ids here have.
export function noteId() {
  const letters = "abcdefghijklmnopqrstuvwxyz234567";
  return Array.from(crypto.getRandomValues(new Uint8Array(20)), (byte) => letters[byte & 31]).join("");
}
