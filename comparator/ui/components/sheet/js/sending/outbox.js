// @ts-check
// The outbox: changes that the server has not acknowledged, in memory and in localStorage, one item each, so that
// neither a reload nor a second tab nor a dead server loses one. Sending twice is harmless: the server goes by id.

const FORGET_AFTER = 30 * 24 * 3600 * 1000;

// randomUUID exists on secure pages only; a team may serve the app over plain http in its own network.
export function newId() {
  if (crypto.randomUUID) return crypto.randomUUID();
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export class Outbox {
  constructor(prefix) {
    this.prefix = prefix;
    this.items = [];
    this.sent = new Set();
    this.load();
  }

  load() {
    try {
      for (const name of Object.keys(localStorage).filter((other) => other.startsWith(this.prefix))) {
        try {
          const item = JSON.parse(localStorage.getItem(name));
          if (typeof item?.id === "string" && Date.now() - item.made < FORGET_AFTER) this.items.push(item);
        } catch {
          localStorage.removeItem(name);
        }
      }
    } catch {
      // Storage is closed to us; memory still holds what is typed.
    }
    this.items.sort((a, b) => a.made - b.made);
  }

  // A new change. While an earlier change of the same field by typing has not been sent, the new one replaces it, under
  // a new id: another tab may have sent the earlier one already.
  put(change, { typing = false } = {}) {
    const newest = this.items.at(-1)?.made ?? 0;
    const item = { id: newId(), value: null, reason: "", code: "", ...change, made: Math.max(Date.now(), newest + 1) };
    if (typing) {
      const unsent = this.items.filter((i) => i.typing && i.target === item.target && !this.sent.has(i.id));
      this.drop(new Set(unsent.map((i) => i.id)));
      item.typing = true;
    }
    this.items.push(item);
    this.store(this.prefix + item.id, JSON.stringify(item));
    return item;
  }

  // Forget the changes that the server has stored or refused; true if there were any.
  drop(ids) {
    const before = this.items.length;
    for (const item of this.items) if (ids.has(item.id)) this.store(this.prefix + item.id, null);
    this.items = this.items.filter((item) => !ids.has(item.id));
    return this.items.length !== before;
  }

  store(name, text) {
    try {
      if (text === null) localStorage.removeItem(name);
      else localStorage.setItem(name, text);
    } catch {
      // Full or closed storage: the change is still in memory and is sent from there.
    }
  }

  // What goes over the wire.
  outgoing() {
    for (const item of this.items) this.sent.add(item.id);
    return this.items.map(({ id, target, kind, value, reason, code }) => ({ id, target, kind, value, reason, code }));
  }

  get unsent() {
    return this.items.some((item) => !this.sent.has(item.id));
  }

  last(target) {
    return this.items.findLast((item) => item.target === target);
  }
}
