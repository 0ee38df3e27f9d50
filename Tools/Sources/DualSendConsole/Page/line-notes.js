// What stands beside lines of a text that is edited: it moves with its line, and goes where the line itself is changed.

const said = (line) => line.trim().replace(/,$/, ""); // a comma more or less says nothing else

/** `notes` is `Map(line → note)` of `before`; the same of `after`. */
export function moved(notes, before, after) {
  const old = before.split("\n").map(said), now = after.split("\n").map(said);
  const shortest = Math.min(old.length, now.length);
  let head = 0, tail = 0;
  while (head < shortest && old[head] === now[head]) head += 1;
  while (tail < shortest - head && old.at(-1 - tail) === now.at(-1 - tail)) tail += 1;
  const shift = now.length - old.length;
  return new Map([...notes].flatMap(([line, note]) => {
    if (line <= head) return [[line, note]];
    return line > old.length - tail ? [[line + shift, note]] : [];
  }));
}
