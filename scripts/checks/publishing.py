"""Publishes rollout documents at real servers, with interruptions and races.

usage: scripts/check publishing [NUMBER]

Starts apache2 with mod_dav, which compares entity tags and wants a token, nginx as an edge that caches without asking, and
a server without entity tags whose requests can be held, all on 127.0.0.1. Installs Debian's packages if they are missing.

1. A signed document behind the token and the edge: publish, kill, undo, resume.
2. NUMBER commands (default 20) are ended with SIGKILL before, in and after the body of a PUT, and before the read-back. The
   next command says so, and takes a higher revision. Rounds whose --undo had nothing to undo interrupt nothing, and are
   counted.
3. NUMBER races of two machines, each with a record of its own, that stop different events at once.

At the end of each: the document is one that an operator was told is live, no revision has two texts, and no kill is undone
by a command that did not say so.
"""

import collections
import hashlib
import http.server
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

from checkout import debian_packages, dualsend

DUALSEND = dualsend()
TOKEN = "Authorization: Bearer t0ken"
PATH = os.environ["PATH"] + ":/usr/sbin"
faults = []


def expect(truth, message):
    if not truth:
        faults.append(message)
        print(f"fault: {message}", file=sys.stderr, flush=True)


def document(revision, share=100, **events):
    rules = [{"match": {"events": [name + ".*"]}, "shouldSendLogToNewTracker": value} for name, value in events.items()]
    return json.dumps({"formatVersion": 1, "revision": revision, "salt": "s", "shouldSendLogToOldLogger": 100,
                       "shouldSendLogToNewTracker": share, "rules": rules})


class Machine:
    """A person's computer, with its own record."""

    def __init__(self, folder, name):
        self.home = folder / name
        self.home.mkdir()
        self.environment = {"PATH": PATH, "HOME": str(self.home), "USER": name}

    def start(self, *arguments):
        return subprocess.Popen([DUALSEND, *map(str, arguments)], cwd=self.home, env=self.environment, text=True,
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def run(self, *arguments):
        process = self.start(*arguments)
        results, diagnostics = process.communicate(timeout=120)
        return process.returncode, results + diagnostics

    def attempts(self):
        """The texts of the record by revision, and those that it says were published."""
        entries, outcomes = [], {}
        for path in self.home.rglob("*.history.jsonl"):
            for line in path.read_text().splitlines():
                entry = json.loads(line)
                if "outcome" in entry:
                    outcomes.setdefault(entry["attempt"], entry["outcome"])
                elif entry.get("state") == "sent":
                    entries.append(entry)
        return entries


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(port, process):
    for _ in range(100):
        try:
            socket.create_connection(("127.0.0.1", port), 0.2).close()
            return
        except OSError:
            if process.poll() is not None:
                sys.exit(f"error: the server on port {port} does not start")
            time.sleep(0.1)
    sys.exit(f"error: the server on port {port} does not answer")


def apache(folder, port):
    modules = "/usr/lib/apache2/modules"
    names = ["mpm_event", "authz_core", "dav", "dav_fs", "mime"]
    web = folder / "web"
    for name in ("open", "private", "lock"):
        (web / name).mkdir(parents=True)
    load = "\n".join(f"LoadModule {name}_module {modules}/mod_{name}.so" for name in names)
    configuration = folder / "apache.conf"
    configuration.write_text(f"""
ServerName 127.0.0.1
Listen 127.0.0.1:{port}
PidFile {folder}/apache.pid
ErrorLog {folder}/apache.log
{load}
TypesConfig /dev/null
DocumentRoot {web}
DAVLockDB {web}/lock/db
<Directory {web}>
  DAV On
  Require all granted
</Directory>
<Directory {web}/private>
  Require expr %{{HTTP:Authorization}} == 'Bearer t0ken'
</Directory>
""")
    environment = os.environ | {"PATH": PATH}
    command = ["apache2", "-D", "FOREGROUND", "-f", str(configuration)]
    if os.geteuid() == 0:
        # Its workers leave root only for another user.
        with open(configuration, "a") as file:
            file.write("User nobody\nGroup nogroup\n")
        subprocess.run(["chown", "-R", "nobody", str(web)], check=True)
        folder.chmod(0o755)
    process = subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL)
    wait_for(port, process)
    return process, web


def nginx(folder, port, origin):
    (folder / "cache").mkdir()
    configuration = folder / "nginx.conf"
    configuration.write_text(f"""
daemon off; pid {folder}/nginx.pid; error_log {folder}/nginx.log;
{"user root;" if os.geteuid() == 0 else ""}
events {{}}
http {{
  access_log off; client_body_temp_path {folder}/b; proxy_temp_path {folder}/p; fastcgi_temp_path {folder}/f;
  uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
  proxy_cache_path {folder}/cache keys_zone=edge:1m;
  server {{
    listen 127.0.0.1:{port};
    location / {{
      proxy_pass http://127.0.0.1:{origin}/private/; proxy_set_header Authorization "Bearer t0ken";
      proxy_cache edge; proxy_cache_valid 200 5s; proxy_ignore_headers Cache-Control Expires;
    }}
  }}
}}
""")
    command = ["nginx", "-p", str(folder), "-c", str(configuration), "-e", str(folder / "nginx.log")]
    process = subprocess.Popen(command, env=os.environ | {"PATH": PATH})
    wait_for(port, process)
    return process


class Origin(http.server.ThreadingHTTPServer):
    """A server without entity tags, whose requests can be held at a step."""

    daemon_threads = True

    def __init__(self):
        self.puts = set()
        self.texts, self.stored, self.lock = {}, collections.defaultdict(set), threading.Lock()
        self.step, self.reached, self.gate = None, threading.Event(), threading.Event()
        super().__init__(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def hold(self, step):
        if self.step == step:
            self.reached.set()
            self.gate.wait(30)

    def handle_error(self, request, client_address):
        pass


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status, body=b""):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        if self.path.endswith(".json") and self.path in self.server.puts:
            self.server.hold("read-back")
        text = self.server.texts.get(self.path)
        self.answer(200 if text is not None else 404, text or b"")

    def do_PUT(self):
        server = self.server
        server.hold("before")
        length = int(self.headers["Content-Length"])
        body = self.rfile.read(length // 2)
        if server.step == "in":
            server.reached.set()
            server.gate.wait(30)
            # The rest never comes to a server that reads slowly.
            self.close_connection = True
            return
        body += self.rfile.read(length - len(body))
        if len(body) < length:
            self.close_connection = True
            return
        # What a client sent before it died is stored all the same.
        with server.lock:
            server.texts[self.path] = body
            server.stored[self.path, json.loads(body)["revision"]].add(body)
            server.puts.add(self.path)
        server.hold("after")
        self.answer(200)


def journey(folder, web, origin, edge):
    """A signed document behind a token and an edge, as a new operator would."""
    ops = Machine(folder, "ops")
    target, apps = f"http://127.0.0.1:{origin}/private/rollout.json", f"http://127.0.0.1:{edge}/rollout.json"
    (ops.home / "token").write_text(TOKEN + "\n")
    public = subprocess.run([DUALSEND, "sign", "new", "--output", "rollout.key"], cwd=ops.home, capture_output=True,
                            text=True).stdout.strip()
    next_document = ops.home / "next.json"
    common = ["--header", "@token", "--signing-key", "rollout.key"]

    def told(name, status, *arguments):
        found, text = ops.run(*arguments)
        expect(found == status, f"{name} ended with {found}: {text[-400:]}")
        return text

    def live():
        return json.loads((web / "private" / "rollout.json").read_text())

    next_document.write_text(document(1, 5, home=5))
    told("without the token", 2, "publish", "next.json", "--to", target, "--yes")
    told("the first publication", 0, "publish", "next.json", "--to", target, "--yes", *common)
    signature = (web / "private" / "rollout.json.sig").read_text()
    next_document.write_text(document(2, 20, home=20))
    told("without the key", 2, "publish", "next.json", "--to", target, "--yes", "--header", "@token")
    told("an edit", 0, "publish", "next.json", "--to", target, "--yes", *common)
    expect((web / "private" / "rollout.json.sig").read_text() != signature, "the signature is that of before")
    text = told("a kill at the edge", 0, "kill", apps, "--publish", target, "--event", "home.*", "--yes", *common)
    expect("--undo" in text and "goes to the old logger only" in text, f"the kill does not say what follows: {text}")
    expect(live()["revision"] == 3, "the kill is not live")
    next_document.write_text(document(4, 20, home=50))
    told("an edit over a kill", 1, "publish", "next.json", "--to", target, "--yes", *common)
    told("an undo", 0, "kill", target, "--undo", "--yes", *common)
    told("a second undo", 2, "kill", target, "--undo", "--yes", *common)
    expect(live()["revision"] == 4, "the undo is not live")
    told("resume", 0, "publish", "--resume", "--to", target, "--header", "@token")
    told("history", 0, "history", target, "--header", "@token")
    shutil.copy(web / "private" / "rollout.json", ops.home / "live.json")
    shutil.copy(web / "private" / "rollout.json.sig", ops.home / "live.json.sig")
    told("the signature", 0, "sign", "check", "live.json", "--public-key", public)
    time.sleep(6)
    told("what apps get", 0, "watch", apps, "--once", "--revision", 4, "--public-key", public)
    told("what apps get", 1, "watch", apps, "--once", "--revision", 3)


def interruptions(folder, number):
    machine = Machine(folder, "interrupted")
    server = Origin()
    address = f"http://127.0.0.1:{server.server_address[1]}/rollout.json"
    server.texts["/rollout.json"] = document(10, 100, a=100, b=100).encode()
    told, sent = 10, 10
    interrupted, idle = collections.Counter(), 0
    for round in range(number):
        step = ["before", "in", "after", "read-back"][round % 4]
        server.step, server.puts = step, set()
        server.reached.clear()
        server.gate.clear()
        undo = round % 8 >= 4
        arguments = ["kill", address, "--yes"] + (["--undo"] if undo else ["--event", "a.*" if round % 16 < 8 else "b.*"])
        process = machine.start(*arguments)
        deadline = time.time() + 20
        while not server.reached.wait(0.05) and process.poll() is None and time.time() < deadline:
            pass
        if not server.reached.is_set():
            process.kill()
            output = "".join(process.communicate())
            expect(undo and "there is nothing to undo" in output, f"{step}: the command never came so far: {output[-300:]}")
            idle += 1
            server.step = None
            server.gate.set()
            text = document(told + 1, 100, a=100, b=100)
            (machine.home / "again.json").write_text(text)
            status, output = machine.run("publish", "again.json", "--to", address, "--yes", "--allow-undo", "--allow-evictions")
            if status == 0:
                told = json.loads(server.texts["/rollout.json"])["revision"]
            continue
        os.kill(process.pid, signal.SIGKILL)
        process.communicate()
        interrupted[step] += 1
        server.step = None
        server.gate.set()
        time.sleep(0.05)
        attempts = machine.attempts()
        sent = max(entry["after"]["revision"] for entry in attempts)
        live = json.loads(server.texts["/rollout.json"])["revision"]
        status, output = machine.run("history", address)
        # The next command finds it, and takes a higher revision.
        status, output = machine.run("kill", address, "--yes")
        expect(re.search(r"was sent at \S+(,| and) (its outcome is not known|is live|and is live)", output) or
               f"revision {sent}" in output, f"{step}: the next command says nothing of revision {sent}: {output[-300:]}")
        after = json.loads(server.texts["/rollout.json"])["revision"]
        if status == 0:
            expect(after > max(sent, live), f"{step}: revision {after} follows {sent} and {live}")
            told = after
        elif "nothing gives" in output:
            told = after
            expect(after >= live, f"{step}: the document went back")
        else:
            expect(False, f"{step}: the next command ended with {status}: {output[-300:]}")
        # Up again for the next round, by a person who says so.
        (machine.home / "again.json").write_text(document(after + 1, 100, a=100, b=100))
        status, output = machine.run("publish", "again.json", "--to", address, "--yes", "--allow-undo")
        expect(status == 0, f"{step}: publish ended with {status}: {output[-300:]}")
        told = json.loads(server.texts["/rollout.json"])["revision"]
    for (_, revision), texts in server.stored.items():
        expect(len(texts) == 1, f"revision {revision} has {len(texts)} texts")
    live = json.loads(server.texts["/rollout.json"])["revision"]
    expect(live == told, f"revision {live} is live, and {told} was told")
    steps = ", ".join(f"{count} {step}" for step, count in interrupted.items())
    print(f"interruptions: {number - idle} ({steps}); {idle} rounds whose --undo had nothing to undo")
    expect(idle <= number // 2, f"{idle} of {number} rounds interrupted nothing")
    server.shutdown()


def races(folder, web, origin, number):
    machines = [Machine(folder, "ada"), Machine(folder, "bob")]
    server = Origin()
    both = lost = 0
    for round in range(number):
        name, revision = f"r{round}.json", 10
        if round % 2:
            address = f"http://127.0.0.1:{server.server_address[1]}/{name}"
            server.texts[f"/{name}"] = document(revision, 100, a=100, b=100).encode()
            read = lambda: server.texts[f"/{name}"]  # noqa: E731
        else:
            address = f"http://127.0.0.1:{origin}/open/{name}"
            path = web / "open" / name
            path.write_text(document(revision, 100, a=100, b=100))
            path.chmod(0o666)
            read = path.read_bytes  # noqa: E731
        processes = [machine.start("kill", address, "--event", event, "--yes") for machine, event in zip(machines, ("a.*", "b.*"))]
        ends = []
        for process in processes:
            results, diagnostics = process.communicate(timeout=120)
            ends.append((process.returncode, results + diagnostics))
        live = json.loads(read())
        for event, (status, output) in zip("ab", ends):
            stopped = all(rule.get("shouldSendLogToNewTracker") == 0 for rule in live["rules"]
                          if rule["match"].get("events") == [event + ".*"])
            if status == 0:
                expect(stopped, f"race {round}: {event} was told that its kill is in force: {output[-300:]}")
            else:
                expect(status == 2, f"race {round}: {event} ended with {status}: {output[-300:]}")
        both += all(status == 0 for status, _ in ends)
        lost += any(status != 0 for status, _ in ends)
        expect(any(status == 0 for status, _ in ends), f"race {round}: both were told that they lost: {ends}")
        # The one that was told tries again, and both are in force.
        for machine, event, (status, _) in zip(machines, ("a.*", "b.*"), ends):
            if status != 0:
                again, output = machine.run("kill", address, "--event", event, "--yes")
                expect(again == 0 or "nothing gives" in output, f"race {round}: again: {output[-300:]}")
        live = json.loads(read())
        expect(all(rule["shouldSendLogToNewTracker"] == 0 for rule in live["rules"]), f"race {round}: not both are in force: {live}")
    published = collections.defaultdict(set)
    for machine in machines:
        for path in machine.home.rglob("*.history.jsonl"):
            lines = [json.loads(line) for line in path.read_text().splitlines()]
            done = {line["attempt"] for line in lines if line.get("outcome") == "published"}
            for line, text in zip(lines, path.read_bytes().splitlines()):
                if hashlib.sha256(text).hexdigest()[:10] in done:
                    published[path.name, line["after"]["revision"]].add(line["after"]["sha256"])
    for (name, revision), hashes in published.items():
        expect(len(hashes) == 1, f"{name}: revision {revision} was published with {len(hashes)} texts")
    print(f"races: {both} with both in force at once, {lost} with one that was told to try again")
    server.shutdown()


def main():
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    if not (shutil.which("apache2", path=PATH) and shutil.which("nginx", path=PATH)):
        debian_packages("apache2", "nginx-light")
    processes = []
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = pathlib.Path(name)
        try:
            origin, edge = free_port(), free_port()
            process, web = apache(folder, origin)
            processes.append(process)
            processes.append(nginx(folder, edge, origin))
            for what, check in [("the journey", lambda: journey(folder, web, origin, edge)),
                                ("interruptions", lambda: interruptions(folder, number)),
                                ("races", lambda: races(folder, web, origin, number))]:
                start = time.time()
                check()
                print(f"{what}: {time.time() - start:.0f} s", flush=True)
        finally:
            for process in processes:
                process.terminate()
            for process in processes:
                process.wait(20)
    print(f"{len(faults)} faults" if faults else "every publication is known")
    sys.exit(1 if faults else 0)


main()
