"""The servers and clients of a test case: `dualsend console` and others, each ended with the case."""

import http.client
import json
import os
import pathlib
import queue
import signal
import subprocess
import tempfile
import threading
import time
import urllib.parse
import uuid

FIXTURES = pathlib.Path("Fixtures")
PATIENCE = 20  # seconds, for anything that has to happen


def until(check, what, patience=PATIENCE):
    """The first true answer of `check`."""
    end = time.monotonic() + patience
    while True:
        found = check()
        if found:
            return found
        if time.monotonic() > end:
            raise TimeoutError(f"waited {patience} s for {what}")
        time.sleep(0.05)


class Process:
    """A running command whose output is read line by line."""

    def __init__(self, *arguments):
        command = [os.environ["DUALSEND"], *map(str, arguments)]
        self.errors = tempfile.TemporaryFile()
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=self.errors, text=True)
        self.lines = []
        self.arrived = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            self.lines.append(line.rstrip("\n"))
            self.arrived.put(self.lines[-1])

    def line(self, what, fits=lambda line: True, patience=PATIENCE):
        """The next matching line."""
        end = time.monotonic() + patience
        while True:
            try:
                line = self.arrived.get(timeout=max(0.01, end - time.monotonic()))
            except queue.Empty:
                self.errors.seek(0)
                raise TimeoutError(f"no line with {what}; lines: {self.lines[-5:]}; errors: {self.errors.read()[-800:]}") from None
            if fits(line):
                return line

    def finish(self, patience=60):
        return self.process.wait(timeout=patience)

    def end(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGCONT)
            self.process.terminate()
            try:
                self.process.wait(timeout=5)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.errors.close()


class Console(Process):
    def __init__(self, *arguments):
        # CONSOLE_PAGE serves the page from a folder, for development.
        page = ["--page", os.environ["CONSOLE_PAGE"]] if "CONSOLE_PAGE" in os.environ else []
        super().__init__("console", *arguments, *page)
        self.address = self.line("its address", lambda line: line.startswith("http"), patience=30)
        self.place = urllib.parse.urlsplit(self.address)
        self.connection = None
        self.used = 0

    def ask(self, method, path, body=None, headers=None):
        """Sends a request on a persistent connection. Returns (status, bytes)."""
        # The server closes a connection that is idle for 30 s.
        if self.connection is not None and time.monotonic() - self.used > 20:
            self.connection.close()
            self.connection = None
        if self.connection is None:
            self.connection = http.client.HTTPConnection(self.place.hostname, self.place.port, timeout=60)
        self.used = time.monotonic()
        try:
            self.connection.request(method, self.place.path + path, body, headers or {})
            answer = self.connection.getresponse()
            return answer.status, answer.read()
        except (http.client.HTTPException, OSError):
            self.connection.close()
            self.connection = None
            raise

    def json(self, path):
        status, body = self.ask("GET", path)
        assert status == 200, (path, status, body[:300])
        return json.loads(body)

    def post(self, path, body):
        status, answer = self.ask("POST", path, json.dumps(body), {"Content-Type": "application/json"})
        assert 200 <= status < 300, (path, status, answer[:300])

    def act(self, path, body):
        """Sends an `Origin`, as the page does: addresses below `api/` require it."""
        origin = f"{self.place.scheme}://{self.place.netloc}"
        status, answer = self.ask("POST", path, json.dumps(body), {"Content-Type": "application/json", "Origin": origin})
        assert status == 200, (path, status, answer[:300])
        return json.loads(answer)

    def mirror(self, *pairs):
        self.post("mirror", {"pairs": list(pairs)})

    @property
    def resident(self):
        """Megabytes."""
        for line in pathlib.Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) / 1000
        return None


def pair(name, new_name=None, old=None, new=None, unit="unit-1", outcome="both", reason="the top level sets 100 %"):
    """One pair as the debug mirror of an app posts it."""
    return {
        "id": str(uuid.uuid4()),
        "time": int(time.time() * 1000),
        "unit": unit,
        "old": {"name": name, "parameters": old or {}},
        "new": {"name": new_name or name, "payload": new or {}},
        "decision": {"outcome": outcome, "reason": reason},
    }


class Servers:
    def __enter__(self):
        self.started = []
        self.folder = tempfile.TemporaryDirectory(prefix="console-")
        self.path = pathlib.Path(self.folder.name)
        return self

    def __exit__(self, *_):
        for each in reversed(self.started):
            each.end()
        self.folder.cleanup()

    def start(self, kind, *arguments):
        each = kind(*arguments)
        self.started.append(each)
        return each

    def copy(self, source, name=None):
        target = self.path / (name or pathlib.Path(source).name)
        target.write_bytes((FIXTURES / source).read_bytes())
        return target

    def console(self, *arguments, rollout="legacy/rollout-2.json", table="legacy/remapping.json"):
        """A console on copies of the fixtures, in a temporary folder."""
        self.rollout = self.copy(rollout, "rollout.json")
        self.table = self.copy(table, "remapping.json") if table else None
        remap = ["--remap", self.table] if table else []
        return self.start(Console, self.rollout, *remap, *arguments)
