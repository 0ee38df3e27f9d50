// The part of the live list in this page: bounded, with unique ids, newest last in the map.
import { outcomeWord, stateWords } from "./words.js";

const WINDOW = 20_000; // the limit of entries, with older pages loaded
const FOLLOWING = 2_000; // the limit of entries while following the newest
const NEW_COUNTED = 9_999;

/** The same search as on the server. */
export function matches(entry, filter) {
  if (filter.unit && entry.unit !== filter.unit) return false;
  if (filter.states.size && !filter.states.has(entry.state) && !filter.states.has(entry.also)) return false;
  if (filter.name && !contains(filter.name, entry.oldName, entry.newName)) return false;
  return !filter.q || contains(filter.q, entry.id, entry.unit ?? "no unit", entry.oldName, entry.newName, entry.reason, stateWords(entry), outcomeWord(entry.outcome));
}

function contains(part, ...texts) {
  const wanted = part.toLowerCase();
  return texts.some((text) => text != null && text.toLowerCase().includes(wanted));
}

export class LiveWindow {
  #entries = new Map();
  #unseen = new Set();
  #array = null;
  newest = 0;
  next = null;
  found = 0;
  searched = 0;

  /** Newest first. */
  get list() {
    return (this.#array ??= [...this.#entries.values()].reverse());
  }

  get unseen() {
    return this.#unseen.size;
  }

  get isFull() {
    return this.#entries.size >= WINDOW;
  }

  has(id) {
    return this.#entries.has(id);
  }

  /** Replaces all entries by a page of the server's list. */
  reset({ entries, newest, next, found, searched }) {
    this.#entries = new Map(entries.toReversed().map((entry) => [entry.id, entry]));
    this.newest = newest ?? entries[0]?.sequence ?? 0;
    Object.assign(this, { next: next ?? null, found, searched });
    this.#unseen.clear();
    this.#array = null;
  }

  /** Adds the page below the oldest entry. Keeps the position of entries that have changed since. */
  addOlder({ entries, next }) {
    const older = entries.toReversed().filter((entry) => !this.#entries.has(entry.id));
    this.#entries = new Map([...older.map((entry) => [entry.id, entry]), ...this.#entries]);
    this.next = next ?? null;
    this.#array = null;
  }

  /** Adds entries from the stream. While the list rests, known pairs change in place and new ones are only counted. */
  receive(batch, filter, rests) {
    for (const entry of batch) {
      if (entry.sequence <= this.newest) continue;
      const known = this.#entries.get(entry.id);
      if (known && known.sequence >= entry.sequence) continue;
      const fits = matches(entry, filter);
      if (rests) {
        if (known) this.#entries.set(entry.id, entry);
        else if (fits && this.#unseen.size < NEW_COUNTED) this.#unseen.add(entry.id);
        continue;
      }
      this.#entries.delete(entry.id);
      if (fits) this.#entries.set(entry.id, entry);
      if (fits && !known) this.found += 1;
      if (!fits && known) this.found -= 1;
    }
    const last = batch.at(-1)?.sequence ?? 0;
    if (!rests && last > this.newest) this.newest = last;
    if (!rests) this.#trim();
    this.#array = null;
  }

  #trim() {
    if (this.#entries.size <= FOLLOWING) return;
    const ids = this.#entries.keys();
    for (let excess = this.#entries.size - FOLLOWING; excess > 0; excess -= 1) {
      const id = ids.next().value;
      this.next = this.#entries.get(id).sequence + 1;
      this.#entries.delete(id);
    }
  }
}
