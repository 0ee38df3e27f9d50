// One stream for all tabs of a browser, which opens six connections to a server at most.
import { StreamSource } from "./stream-source.js";

const ports = new Set();
const known = new Map(); // what a page that comes later has to be told, too
let source = null;

function tell(name, detail) {
  if (name !== "entries" && name !== "gap") known.set(name, detail);
  for (const port of ports) port.postMessage({ name, detail });
}

function join(port, after) {
  ports.add(port);
  if (!source) {
    source = new StreamSource(tell);
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
