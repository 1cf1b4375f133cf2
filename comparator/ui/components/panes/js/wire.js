// @ts-check
// The way to the notes under the panes, which alone speak with the server: ticks, pairs, evidence, comments, search.

const NOTES = "comparator:notes";
const NOTE = "comparator:note";
const NOTES_WANTED = "comparator:notes-wanted";

export class Wire {
  // receive(state) is called with everything that the server knows, whenever it changes.
  constructor(receive) {
    this.place = null;
    this.onNotes = (event) => {
      if (event.detail?.place === this.place) receive(event.detail);
    };
    window.addEventListener(NOTES, this.onNotes);
  }

  open(place) {
    this.place = place;
    window.dispatchEvent(new CustomEvent(NOTES_WANTED, { detail: { place } }));
  }

  tell(act) {
    window.dispatchEvent(new CustomEvent(NOTE, { detail: { place: this.place, ...act } }));
  }

  close() {
    window.removeEventListener(NOTES, this.onNotes);
  }
}
