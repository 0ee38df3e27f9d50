// Server-sent events. The browser resumes by `Last-Event-ID` by itself after a cut; after a refusal, and after a
// silence in which the server does not answer either, it is opened anew from the last sequence.

const SILENCE = 10_000;
const ANSWER = 5_000;

export class Stream extends EventTarget {
  #source;
  #last = null;
  #heard = 0;
  #attempt = 0;
  #asking = false;
  #timer;
  state = "connecting";

  start(after) {
    this.#last = after;
    this.#open();
    setInterval(() => this.#watch(), 2_000);
  }

  get last() {
    return this.#last;
  }

  #open() {
    const source = (this.#source = new EventSource(`api/live/stream?after=${this.#last ?? 0}`));
    source.onopen = () => {
      this.#attempt = 0;
      this.#hear("live");
    };
    source.onerror = () => {
      this.#turn("reconnecting");
      if (source.readyState === EventSource.CLOSED) this.#again();
    };
    for (const name of ["entries", "totals", "gap", "rollout", "ping"]) {
      source.addEventListener(name, (event) => this.#receive(name, event));
    }
  }

  #receive(name, event) {
    this.#hear("live");
    if (name === "ping") return;
    const data = JSON.parse(event.data);
    if (name === "gap") this.#last = data.next;
    const sequence = Number(event.lastEventId);
    if (name === "entries" && sequence > this.#last) this.#last = sequence;
    this.dispatchEvent(new CustomEvent(name, { detail: data }));
  }

  /** Nothing came for a while: nothing happened, or the connection died without a word. A small question tells. */
  async #watch() {
    if (this.state !== "live" || this.#asking || performance.now() - this.#heard < SILENCE) return;
    this.#asking = true;
    try {
      const answer = await fetch("api/state", { cache: "no-store", signal: AbortSignal.timeout(ANSWER) });
      await answer.arrayBuffer();
      this.#heard = performance.now();
    } catch {
      if (this.state === "live") this.#again();
    }
    this.#asking = false;
  }

  #again() {
    this.#source.close();
    this.#turn("reconnecting");
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#open(), Math.min(10_000, 500 * 2 ** this.#attempt++));
  }

  #hear(state) {
    this.#heard = performance.now();
    this.#turn(state);
  }

  #turn(state) {
    if (state === this.state) return;
    this.state = state;
    this.dispatchEvent(new CustomEvent("state", { detail: state }));
  }
}
