// @ts-check
// The reviewer's place in a comparison: kept for the tab, so that neither a rerun nor a reload loses it.

export class Memory {
  constructor(place) {
    this.place = place;
    this.name = "comparator.panes." + place;
    this.values = { file: null, modes: {}, pages: {}, places: {}, zooms: {}, asked: {}, still: {}, linked: true, swapped: false, side: "both", differences: false, anyway: {} };
    try {
      Object.assign(this.values, JSON.parse(sessionStorage.getItem(this.name) || "{}"));
    } catch {
      // Storage may be off, or hold what another version wrote.
    }
    this.pending = 0;
  }

  get(name) {
    return this.values[name];
  }

  set(name, value) {
    this.values[name] = value;
    this.save();
  }

  // One entry of one of the tables, such as the mode of a file.
  put(table, id, value) {
    this.values[table][id] = value;
    this.save();
  }

  save() {
    clearTimeout(this.pending);
    this.pending = setTimeout(() => {
      try {
        sessionStorage.setItem(this.name, JSON.stringify(this.values));
      } catch {
        // Full or off: the place is kept until the tab is reloaded.
      }
    }, 150);
  }
}
