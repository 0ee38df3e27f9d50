// Notes beside the lines of an edited text. A note moves with its line, and disappears when the line changes.
const content = (line) => line.trim().replace(/,$/, ""); // ignores white space and a trailing comma
/** Maps the notes of `before`, `Map(line → note)`, to the lines of `after`. */
export function moved(notes, before, after) {
  const places = new Map();
  align(before.split("\n").map(content), after.split("\n").map(content), 0, 0, places);
  return new Map([...notes].flatMap(([line, note]) => (places.has(line - 1) ? [[places.get(line - 1) + 1, note]] : [])));
}

/** Patience difference: matches equal ends, then lines that occur once in both texts, then recurses between these. */
function align(old, now, from, to, places) {
  const shortest = Math.min(old.length, now.length);
  let head = 0, tail = 0;
  while (head < shortest && old[head] === now[head]) head += 1;
  while (tail < shortest - head && old.at(-1 - tail) === now.at(-1 - tail)) tail += 1;
  for (let index = 0; index < head; index += 1) places.set(from + index, to + index);
  for (let index = 1; index <= tail; index += 1) places.set(from + old.length - index, to + now.length - index);
  const left = old.slice(head, old.length - tail), right = now.slice(head, now.length - tail);
  if (!left.length || !right.length) return;
  const [once, there] = [placesOfUnique(left), placesOfUnique(right)];
  const anchors = [...once].filter(([line]) => there.has(line)).map(([line, index]) => [index, there.get(line)]);
  let last = [-1, -1];
  for (const anchor of [...anchors, anchors.length ? [left.length, right.length] : null]) {
    if (!anchor || anchor[1] <= last[1]) continue;
    if (anchor[0] < left.length) places.set(from + head + anchor[0], to + head + anchor[1]);
    align(left.slice(last[0] + 1, anchor[0]), right.slice(last[1] + 1, anchor[1]), from + head + last[0] + 1, to + head + last[1] + 1, places);
    last = anchor;
  }
}

/** The indexes of lines that occur once, in their order. */
function placesOfUnique(lines) {
  const found = new Map();
  lines.forEach((line, index) => found.set(line, found.has(line) ? -1 : index));
  return new Map([...found].filter(([, index]) => index >= 0));
}
