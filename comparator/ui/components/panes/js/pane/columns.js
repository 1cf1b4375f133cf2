// @ts-check
// Columns of two tables that are called the same, so that both can be put in the same order.

export const headsOf = (inner) => [...(inner?.querySelectorAll("table.data thead th") || [])].slice(1);

function letterOf(head) {
  const copy = head.cloneNode(true);
  for (const other of copy.querySelectorAll("[data-skip]")) other.remove();
  return copy.textContent;
}

// The order of the table `there` that is the order "3,asc" of the table `here`: by the column's name, by its letter in
// sheets whose columns have none. "" for that of the file, null where there is no such column.
export function orderThere(here, order, there) {
  const [number, way] = order.split(",");
  if (!way) return "";
  const own = headsOf(here)[number - 1];
  const heads = headsOf(there);
  const named = own?.dataset.name && heads.some((head) => head.dataset.name);
  const nameOf = named ? (head) => head.dataset.name : letterOf;
  const same = (head) => head && own && nameOf(head) === nameOf(own);
  const at = same(heads[number - 1]) ? number - 1 : heads.findIndex(same);
  return at < 0 ? null : `${at + 1},${way}`;
}
