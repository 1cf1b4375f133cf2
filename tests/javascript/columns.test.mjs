import assert from "node:assert/strict";
import { test } from "node:test";
import { orderThere } from "../../comparator/ui/review/src/panes/documents.js";

// As much of a table's head as is read: the corner, then a column by its letter, with a name where the sheet has them.
const head = (letter, name) => ({ dataset: name ? { name } : {}, cloneNode: () => ({ querySelectorAll: () => [], textContent: letter }) });
const table = (...columns) => ({ querySelectorAll: () => [head(""), ...columns.map((column) => head(...column))] });

const named = table(["A", "id"], ["B", "price"], ["C", "city"]);

test("the other table is put in the order of the column that has the same name", () => {
  assert.equal(orderThere(named, "2,desc", table(["A", "city"], ["B", "id"], ["C", "price"])), "3,desc");
});

test("of two columns with one name, the one at the same place is taken", () => {
  const twice = table(["A", "price"], ["B", "price"]);
  assert.equal(orderThere(twice, "2,asc", twice), "2,asc");
});

test("where one sheet has no names, columns are the same by their letter", () => {
  assert.equal(orderThere(named, "2,asc", table(["A"], ["B"])), "2,asc");
});

test("a column that the other table lacks gives no order, and the order of the file stays that", () => {
  assert.equal(orderThere(named, "3,asc", table(["A", "id"])), null);
  assert.equal(orderThere(named, "9,asc", named), null);
  assert.equal(orderThere(named, "", named), "");
});
