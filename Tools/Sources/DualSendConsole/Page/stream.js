// Server-sent events. The browser resumes by `Last-Event-ID` by itself after a cut; after a refusal, and after a
// silence (a connection that died without a word: the server pings), it is opened anew from the last sequence.

const SILENCE = 25_000;

export class Stream extends EventTarget {
  #source;
  #last = null;
  #heard = 0;
  #attempt = 0;
  #pings = false;
  #timer;
  state = "connecting";

  start(after) {
    this.#last = after;
    this.#open();
    setInterval(() => {
      if (this.#pings && this.state === "live" && performance.now() - this.#heard > SILENCE) this.#again();
    }, 5_000);
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
    if (name === "ping") return void (this.#pings = true);
    const data = JSON.parse(event.data);
    if (name === "gap") this.#last = data.next;
    const sequence = Number(event.lastEventId);
    if (name === "entries" && sequence > this.#last) this.#last = sequence;
    this.dispatchEvent(new CustomEvent(name, { detail: data }));
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
