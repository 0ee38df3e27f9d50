// The server's events: from the stream that all tabs share, or from its own if the browser has no `SharedWorker`.
import { StreamSource } from "./stream-source.js";

export class Stream extends EventTarget {
  state = "connecting";

  start(after) {
    if (typeof SharedWorker !== "function") return this.#alone(after);
    const worker = new SharedWorker("stream-worker.js", { type: "module" });
    const { port } = worker;
    port.onmessage = ({ data }) => this.#take(data.name, data.detail);
    worker.onerror = () => this.#alone(after);
    port.postMessage({ join: after });
    addEventListener("pagehide", () => port.postMessage({ leave: true }));
    // After a return from the back-forward cache, reloads the missed events.
    addEventListener("pageshow", (event) => event.persisted && port.postMessage({ join: -1 }));
  }

  #alone(after) {
    new StreamSource((name, detail) => this.#take(name, detail)).start(after);
  }

  #take(name, detail) {
    if (name === "state") this.state = detail;
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}
