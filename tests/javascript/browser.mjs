// What the modules take from a browser while they are loaded or asked for plain values.

class Store {
  #items = new Map();

  getItem(name) {
    return this.#items.get(name) ?? null;
  }

  setItem(name, text) {
    this.#items.set(name, String(text));
    this[name] = text;
  }

  removeItem(name) {
    this.#items.delete(name);
    delete this[name];
  }
}

// Storage that is empty, for each test anew.
export function freshStorage() {
  globalThis.localStorage = /** @type {any} */ (new Store());
  globalThis.sessionStorage = /** @type {any} */ (new Store());
}

freshStorage();
globalThis.window ??= /** @type {any} */ ({ matchMedia: () => ({ matches: false }), innerWidth: 1280, addEventListener() {} });
