// One line about the change from the previous revision.
import { get } from "./api.js";
import { plural } from "./dom.js";

const READ = 20; // the limit of revisions, each of which needs a request

const lines = (text) => text.split("\n").map((line) => line.trim().replace(/,$/, "")).filter((line) => !/^"revision"\s*:/.test(line));

/** The changed line, such as `"shouldSendLogToNewTracker": 20`, or the count of changed lines. */
export function changeWords(before, after) {
  const old = lines(before), now = lines(after);
  const shortest = Math.min(old.length, now.length);
  let head = 0, tail = 0;
  while (head < shortest && old[head] === now[head]) head += 1;
  while (tail < shortest - head && old.at(-1 - tail) === now.at(-1 - tail)) tail += 1;
  const removed = old.length - head - tail, added = now.length - head - tail;
  if (added === 1 && removed <= 1) return now[head];
  if (added === 0 && removed === 0) return "the same text";
  return added ? `${plural(added, "line")} from: ${now.slice(head).find((line) => line.length > 1)}` : `${plural(removed, "line")} removed`;
}

/** Calls `report(id, words)` for the newest revisions, each as soon as it is known. `history` is newest first. */
export async function reportChanges(history, report) {
  const some = history.slice(0, READ + 1);
  let newer = null;
  for (const { id } of some) {
    const { text } = await get(`api/rollout/history/${encodeURIComponent(id)}`);
    if (newer) report(newer.id, changeWords(text, newer.text));
    newer = { id, text };
  }
}
