// Undo and redo of what was typed and of what scripts put in alike: the browser forgets its own once a script writes.

const STEPS = 300, CHARACTERS = 8_000_000; // what is remembered at most
const PAUSE = 900, LONGEST = 4_000; // milliseconds that changes of one hand may lie apart, and last, to be one step

export class Undo {
  #done = [];
  #undone = [];

  clear() {
    this.#done = [];
    this.#undone = [];
  }

  /** `by` names the hand: what it changes in one go is one step. Without a name each change is a step of its own. */
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

/** What a key asks for: `undo`, `redo` or nothing. */
export function undoKey(event) {
  if (!(event.ctrlKey || event.metaKey) || event.altKey) return null;
  const key = event.key.toLowerCase();
  if (key === "z") return event.shiftKey ? "redo" : "undo";
  return key === "y" && event.ctrlKey ? "redo" : null;
}
