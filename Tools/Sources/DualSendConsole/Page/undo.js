// Undo and redo of typed and scripted changes: a scripted change clears the browser's own undo history.
const STEPS = 300, CHARACTERS = 8_000_000; // the limits of the history
const PAUSE = 900, LONGEST = 4_000; // the longest pause in a group, and the longest group, in milliseconds

export class Undo {
  #done = [];
  #undone = [];

  clear() {
    this.#done = [];
    this.#undone = [];
  }

  /** Groups successive changes with the same `by` into one step. Without `by`, each change is a step. */
  record(before, after, by = null) {
    if (before === after) return;
    const last = this.#done.at(-1), now = performance.now();
    this.#undone = [];
    if (by !== null && last?.by === by && now - last.time < PAUSE && now - last.begun < LONGEST) {
      return void Object.assign(last, { after, time: now });
    }
    this.#done.push({ before, after, by, begun: now, time: now });
    let held = this.#done.reduce((sum, step) => sum + step.before.length + step.after.length, 0);
    while (this.#done.length > STEPS || (held > CHARACTERS && this.#done.length > 1)) {
      const { before: first, after: second } = this.#done.shift();
      held -= first.length + second.length;
    }
  }

  /** The text before the last change, `null` if there is none. */
  undo() {
    return this.#move(this.#done, this.#undone)?.before ?? null;
  }

  redo() {
    return this.#move(this.#undone, this.#done)?.after ?? null;
  }

  #move(from, to) {
    const step = from.pop();
    if (step) to.push({ ...step, by: null });
    return step;
  }
}

/** The action of a key: `undo`, `redo` or null. */
export function undoKey(event) {
  if (!(event.ctrlKey || event.metaKey) || event.altKey) return null;
  const key = event.key.toLowerCase();
  if (key === "z") return event.shiftKey ? "redo" : "undo";
  return key === "y" && event.ctrlKey ? "redo" : null;
}
