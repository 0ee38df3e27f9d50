// Server-sent events. After a lost connection, the browser resumes by `Last-Event-ID`. After a refusal, or a silence in
// which the server does not answer a request either, the stream is reopened from the last sequence.

const SILENCE = 10_000;
const ANSWER = 5_000;
const NAMES = ["entries", "totals", "sources", "alarm", "gap", "rollout", "table", "ping"];

/** Runs in a page or in a worker. `emit(name, detail)` gets every event, and `state` for each state of the connection. */
export class StreamSource {
  #source;
  #lastEvent = 0;
  #attempt = 0;
  #probing = false;
  #timer;
  #watch;
  #emit;
  state = "connecting";
  last = null;

  constructor(emit) {
    this.#emit = emit;
  }

  start(after) {
    this.last = after;
    this.#open();
    this.#watch = setInterval(() => this.#checkSilence(), 2_000);
  }

  stop() {
    clearInterval(this.#watch);
    clearTimeout(this.#timer);
    this.#source?.close();
  }

  #open() {
    const source = (this.#source = new EventSource(`api/live/stream?after=${this.last ?? 0}`));
    source.onopen = () => {
      this.#attempt = 0;
      this.#markAlive("live");
    };
    source.onerror = () => {
      this.#setState("reconnecting");
      if (source.readyState === EventSource.CLOSED) this.#reopen(true);
    };
    for (const name of NAMES) source.addEventListener(name, (event) => this.#receive(name, event));
  }

  #receive(name, event) {
    this.#markAlive("live");
    if (name === "ping") return;
    const data = JSON.parse(event.data);
    if (name === "gap") this.last = data.next;
    const sequence = Number(event.lastEventId);
    if (name === "entries" && sequence > this.last) this.last = sequence;
    this.#emit(name, data);
  }

  /** After a silence, a request tells whether the connection is dead or there was no event. */
  async #checkSilence() {
    if (this.state !== "live" || this.#probing || performance.now() - this.#lastEvent < SILENCE) return;
    this.#probing = true;
    if (await this.#probe()) this.#lastEvent = performance.now();
    else if (this.state === "live") this.#reopen(false);
    this.#probing = false;
  }

  async #probe() {
    try {
      const answer = await fetch("api/state", { cache: "no-store", signal: AbortSignal.timeout(ANSWER) });
      return await answer.json();
    } catch {
      return null;
    }
  }

  async #reopen(isRefused) {
    this.#source.close();
    this.#setState("reconnecting");
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#open(), Math.min(10_000, 500 * 2 ** this.#attempt++));
    const server = isRefused && (await this.#probe());
    if (server?.kept?.freeStreams !== 0) return;
    // The limit of streams is reached: this page polls.
    this.#setState("crowded");
    for (const name of ["totals", "sources", "alarm"]) this.#emit(name, server[name]);
    this.#emit("gap", { next: this.last });
  }

  #markAlive(state) {
    this.#lastEvent = performance.now();
    this.#setState(state);
  }

  #setState(state) {
    if (state === this.state) return;
    this.state = state;
    this.#emit("state", state);
  }
}
