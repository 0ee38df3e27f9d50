// Server-sent events. The browser resumes by `Last-Event-ID` by itself after a cut; after a refusal, and after a
// silence in which the server does not answer either, it is opened anew from the last sequence.

const SILENCE = 10_000;
const ANSWER = 5_000;
const NAMES = ["entries", "totals", "gap", "rollout", "table", "ping"];

/** Runs in a page or in a worker: `tell(name, detail)` gets every event, and `state` with each state of the connection. */
export class StreamSource {
  #source;
  #heard = 0;
  #attempt = 0;
  #asking = false;
  #again;
  #watch;
  #tell;
  state = "connecting";
  last = null;

  constructor(tell) {
    this.#tell = tell;
  }

  start(after) {
    this.last = after;
    this.#open();
    this.#watch = setInterval(() => this.#look(), 2_000);
  }

  stop() {
    clearInterval(this.#watch);
    clearTimeout(this.#again);
    this.#source?.close();
  }

  #open() {
    const source = (this.#source = new EventSource(`api/live/stream?after=${this.last ?? 0}`));
    source.onopen = () => {
      this.#attempt = 0;
      this.#hear("live");
    };
    source.onerror = () => {
      this.#turn("reconnecting");
      if (source.readyState === EventSource.CLOSED) this.#reopen(true);
    };
    for (const name of NAMES) source.addEventListener(name, (event) => this.#receive(name, event));
  }

  #receive(name, event) {
    this.#hear("live");
    if (name === "ping") return;
    const data = JSON.parse(event.data);
    if (name === "gap") this.last = data.next;
    const sequence = Number(event.lastEventId);
    if (name === "entries" && sequence > this.last) this.last = sequence;
    this.#tell(name, data);
  }

  /** Nothing came for a while: nothing happened, or the connection died without a word. A small question tells. */
  async #look() {
    if (this.state !== "live" || this.#asking || performance.now() - this.#heard < SILENCE) return;
    this.#asking = true;
    if (await this.#ask()) this.#heard = performance.now();
    else if (this.state === "live") this.#reopen(false);
    this.#asking = false;
  }

  async #ask() {
    try {
      const answer = await fetch("api/state", { cache: "no-store", signal: AbortSignal.timeout(ANSWER) });
      return await answer.json();
    } catch {
      return null;
    }
  }

  async #reopen(isRefused) {
    this.#source.close();
    this.#turn("reconnecting");
    clearTimeout(this.#again);
    this.#again = setTimeout(() => this.#open(), Math.min(10_000, 500 * 2 ** this.#attempt++));
    const server = isRefused && (await this.#ask());
    if (server?.kept?.freeStreams !== 0) return;
    // As many pages follow as may: this one looks now and then.
    this.#turn("crowded");
    this.#tell("totals", server.totals);
    this.#tell("gap", { next: this.last });
  }

  #hear(state) {
    this.#heard = performance.now();
    this.#turn(state);
  }

  #turn(state) {
    if (state === this.state) return;
    this.state = state;
    this.#tell("state", state);
  }
}
