// One stream for all tabs: a browser opens at most six connections to a server.
import { StreamSource } from "./stream-source.js";

const ports = new Set();
const known = new Map(); // the state for pages that join later
let source = null;

function emit(name, detail) {
  if (name !== "entries" && name !== "gap") known.set(name, detail);
  for (const port of ports) port.postMessage({ name, detail });
}

function join(port, after) {
  ports.add(port);
  if (!source) {
    source = new StreamSource(emit);
    return source.start(after);
  }
  for (const [name, detail] of known) port.postMessage({ name, detail });
  if (after !== source.last) port.postMessage({ name: "gap", detail: { next: source.last } });
}

function leave(port) {
  ports.delete(port);
  if (ports.size) return;
  source?.stop();
  source = null;
  known.clear();
}

addEventListener("connect", ({ ports: [port] }) => {
  port.onmessage = ({ data }) => ("join" in data ? join(port, data.join) : leave(port));
});
