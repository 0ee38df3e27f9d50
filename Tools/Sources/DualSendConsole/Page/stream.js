// The server's events for this page: by the stream that all tabs share, or by one of its own where workers cannot be shared.
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
    // Back from where the browser keeps pages: what was missed is read anew.
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
