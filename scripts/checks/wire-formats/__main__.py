"""Compares the requests of DualSend with those of the vendors' own clients, and with the vendors' readers.

usage: scripts/check wire-formats [FORMAT…]

Sends the same events through each vendor's own Python client, or reads them with a strict reader, and through `dualsend replay`
and `dualsend collector` with --wire-format. FORMAT is segment, rudderstack, amplitude, posthog, otlp or cloudevents; all by default.
Everything stays on the loopback interface. DUALSEND names a built `dualsend`; without it one is built.
"""

import datetime
import json
import pathlib
import re
import signal
import subprocess
import sys
import tempfile

from checkout import dualsend, need

# Raised by hand, so that changes of a client are reviewed.
need(
    "cloudevents",
    "segment-analytics-python==2.4.0",
    "rudder-sdk-python==2.1.9",
    "amplitude-analytics==1.3.0",
    "posthog==7.91.1",
    "opentelemetry-proto==1.45.2",
    "cloudevents==2.2.0",
)

import capture  # noqa: E402
import clients  # noqa: E402
import formats  # noqa: E402

SECONDS = 30
TIME = 1_748_779_200_123
HEADERS = ("content-type", "authorization", "content-encoding")
# The property with the app's decision; the collector stores it beside the payload.
DECISION = "dual_send"


def sample_events(form):
    """Events without ids, which `dualsend replay` creates."""
    person = {"user_id": "user-1", "unit_id": "unit-1", "device_id": "device-1", "session_id": 1_700_000_000_000}
    values = {
        "zero": 0,
        "negative": -1,
        "long": 2**53 + 1,
        "longest": 2**63 - 1,
        "share": 0.1,
        "huge": 1e300,
        "yes": True,
        "no": False,
        "text": 'quote " backslash \\ slash / line\n tab\t é 日本 🎉 \u2028 \u007f',
        "empty": "",
        "list": [1, 2.5, "three", {"four": 4}],
        "none": [],
        "object": {"inner": {"value": True}},
    }
    if form.takes_empty_names:
        values[""] = "a name may be empty"
    if form.takes_null:
        values |= {"nothing": None, "nested": {"nothing": None, "list": [None, [1]]}}
    yield "screen.viewed", person | values
    yield "unit.only", {"unit_id": "unit-2", "position": 3}
    yield "user.only", {"user_id": "user-3"}
    yield "ünïcode name", {"unit_id": "unit-4"}
    yield "long.event", {"unit_id": "unit-5"} | {f"parameter_{number}": "x" * 20 for number in range(400)}


class Check:
    def __init__(self, dualsend, name, folder):
        self.dualsend = dualsend
        self.name = name
        self.format = formats.ALL[name]
        self.folder = folder
        self.faults = []
        self.counts = []
        self.runs = 0
        self.table = folder / "table.json"
        self.table.write_text('{"formatVersion": 1, "events": {}}\n')
        self.rollout = folder / "rollout.json"
        self.rollout.write_text(
            '{"formatVersion": 1, "revision": 1, "salt": "s", "shouldSendLogToOldLogger": 100, "shouldSendLogToNewTracker": 100}\n'
        )
        self.lines = folder / "events.jsonl"
        self.write_lines(
            {"name": event, "parameters": parameters, "time": TIME + number, "unitID": "u"}
            for number, (event, parameters) in enumerate(sample_events(self.format))
        )

    def write_lines(self, lines):
        self.lines.write_text("".join(json.dumps(line) + "\n" for line in lines))

    def fault(self, text):
        self.faults.append(f"{self.name}: {text}")

    # MARK: Running

    def replay(self, url, seconds=SECONDS):
        """Sends the events, and returns the ledger and the events with their ids."""
        self.runs += 1
        old_log = self.folder / f"old-{self.runs}.jsonl"
        done = subprocess.run(
            [
                self.dualsend, "replay", "--wire-format", self.format.name, "--format", "json", "--api-key", clients.KEY,
                "--events", self.lines, "--remap", self.table, "--rollout", self.rollout, "--endpoint", url + self.format.path,
                "--database", self.folder / f"database-{self.runs}.sqlite", "--output", old_log, "--timeout", str(seconds),
            ],
            capture_output=True,
            timeout=seconds + SECONDS,
        )  # fmt: skip
        if done.returncode not in (0, 1, 2) or not done.stdout:
            raise RuntimeError(f"replay ended with {done.returncode}\n{done.stderr.decode()}")
        events = [
            {
                "id": line["eventId"],
                "name": line["name"],
                "time": line["time"],
                "properties": line["parameters"] | {DECISION: line["decision"]},
            }
            for line in read_lines(old_log)
        ]
        return json.loads(done.stdout)["ledger"], events

    def parity(self, stream):
        """Whether parity finds a stream of requests equal to the old log of the first run."""
        done = subprocess.run(
            [
                self.dualsend, "parity", "--old", self.folder / "old-1.jsonl", "--new", stream, "--remap", self.table,
                "--new-format", self.format.name,
            ],
            capture_output=True,
            timeout=SECONDS,
        )  # fmt: skip
        if done.returncode != 0:
            self.fault(f"parity of {stream.name} ends with {done.returncode}\n{done.stdout.decode()}{done.stderr.decode()}")

    # MARK: Requests

    def run(self):
        with capture.CaptureServer(lambda request, _: self.taken(request)) as server:
            ledger, events = self.replay(server.url)
            ours = list(server.requests)
        self.expect(ledger, delivered=len(events))
        for request in ours:
            if (request.method, request.path) != ("POST", self.format.path):
                self.fault(f"{request.method} {request.path} is not POST {self.format.path}")
        self.parity(self.stream("ours.jsonl", ours))
        if self.format.client:
            self.compare_with_client(ours, events)
        if self.name in formats.READERS:
            self.compare_with_reader(ours, events)
        self.check_collector(events)
        self.check_answers(events)

    def stream(self, name, requests):
        file = self.folder / name
        file.write_bytes(b"".join(json.dumps(request.json).encode() + b"\n" for request in requests))
        return file

    def compare_with_client(self, ours, events):
        with capture.CaptureServer(lambda request, _: self.taken(request)) as server:
            self.format.client(server.url, events)
            theirs = list(server.requests)
        self.parity(self.stream("theirs.jsonl", theirs))
        fields = [merged(requests) for requests in (theirs, ours)]
        used = set()
        equal = 0
        for path in sorted(fields[0].keys() | fields[1].keys()):
            client, our = (side.get(path, ABSENT) for side in fields)
            if same(client, our):
                equal += 1
                continue
            entry = self.meant(path, client, our)
            if entry:
                used.add(entry)
            else:
                self.fault(f"{path}: the client sends {shown(client)}, we send {shown(our)}")
        for entry in self.format.meant:
            if entry not in used:
                self.fault(f"{entry.path} does not differ any more: take it out of the table")
        self.counts.append(f"{equal} fields as the client's, {len(used)} kinds of differences that are meant")

    def meant(self, path, client, our):
        general = re.sub(r"\[\d+\]", "[]", path)
        for entry in self.format.meant:
            if entry.path != general:
                continue
            absent = (client is ABSENT, our is ABSENT)
            if {
                "client": absent == (False, True),
                "ours": absent == (True, False),
                "any": absent == (False, False),
                "instant": absent == (False, False) and instant(client) == instant(our),
            }[entry.kind]:
                return entry
        return None

    def compare_with_reader(self, ours, events):
        read, expected = formats.READERS[self.name]
        found = [event for request in ours for event in read(request)]
        wanted = [expected(event) for event in events]
        fields = [flat({"events": side}) for side in (found, wanted)]
        for path in sorted(fields[0].keys() | fields[1].keys()):
            our, want = (side.get(path, ABSENT) for side in fields)
            if not same(our, want):
                self.fault(f"{path}: the reader reads {shown(our)} instead of {shown(want)}")
        self.counts.append(f"{len(fields[1])} fields as the strict reader reads them")

    # MARK: Our collector

    def check_collector(self, events):
        """Whether `dualsend collector` accepts and stores the requests of the vendor's client and of DualSend."""
        senders = {"replay": lambda url: self.replay(url)}
        if self.format.client:
            senders["client"] = lambda url: self.format.client(url, events)
        for name, send in senders.items():
            stored = self.folder / f"stored-{name}.jsonl"
            process = subprocess.Popen(
                [self.dualsend, "collector", "--wire-format", self.format.name, "--output", stored],
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
            try:
                address = process.stdout.readline().strip()
                if not address.endswith(self.format.path):
                    self.fault(f"the collector says {address}")
                send(address.removesuffix(self.format.path))
                process.send_signal(signal.SIGINT)
                process.communicate(timeout=SECONDS)
            finally:
                process.kill()
                process.wait()
            wanted = {event["id"]: (event["name"], event["time"], event["properties"]) for event in events}
            found = {
                line["eventId"]: (line["eventName"], line["eventTime"], line["payload"] | {DECISION: line["decision"]})
                for line in read_lines(stored)
            }
            if json.dumps(found, sort_keys=True) != json.dumps(wanted, sort_keys=True):
                self.fault(f"the collector stores of the {name}\n{found}\ninstead of\n{wanted}")
        self.counts.append(f"stored by our collector from {' and '.join(senders)}")

    # MARK: Results

    def taken(self, request):
        return self.format.success(len(self.format.ids(request.json)))

    def check_answers(self, events):
        ids = [event["id"] for event in events]
        taken = []

        def take(request):
            taken.extend(self.format.ids(request.json))
            return self.taken(request)

        def scenario(name, answer, seconds=SECONDS, **wanted):
            taken.clear()
            with capture.CaptureServer(answer) as server:
                ledger, _ = self.replay(server.url, seconds)
            self.expect(ledger, name, **wanted)
            if sorted(taken) != sorted(set(taken)) or len(taken) != ledger["delivered"]:
                self.fault(f"{name}: {len(taken)} events were taken, {ledger['delivered']} count as delivered")

        def throttled(request, number):
            return (429, {"Retry-After": "1"}, {"code": 429, "error": "slow down"}) if number == 1 else take(request)

        if self.format.waits_long:
            scenario("throttled", throttled, seconds=2, pending=len(ids))
        else:
            scenario("throttled", throttled, delivered=len(ids))

        def too_large(request, _):
            return (413, {}, {"code": 413}) if len(self.format.ids(request.json)) > 2 else take(request)

        scenario("too large", too_large, delivered=len(ids))

        def one_is_bad(request, _):
            found = self.format.ids(request.json)
            return self.format.refusal([found.index(ids[1])]) if ids[1] in found else take(request)

        scenario("one event is bad", one_is_bad, delivered=len(ids) - 1, deadLettered=1)
        scenario("wrong key", lambda *_: self.format.wrong_key, seconds=1, pending=len(ids))
        count = 4
        if self.name == "posthog":
            quota = (200, {}, {"status": "Ok", "quota_limited": ["events"]})
            scenario("the quota is used up", lambda *_: quota, seconds=1, pending=len(ids))
            count += 1
        if self.name == "otlp":

            def all_rejected(request, _):
                rejected = str(len(self.format.ids(request.json)))
                return 200, {}, {"partialSuccess": {"rejectedLogRecords": rejected, "errorMessage": "no"}}

            # A collector that refuses everything destroys nothing.
            scenario("all are rejected", all_rejected, seconds=1, pending=len(ids))
            count += 1
        self.counts.append(f"{count} ways of refusing")

    def expect(self, ledger, name="success", **wanted):
        found = {key: ledger[key] for key in ("delivered", "deadLettered", "pending")}
        wanted = {"delivered": 0, "deadLettered": 0, "pending": 0} | wanted
        if found != wanted or not ledger["isBalanced"]:
            self.fault(f"{name}: {found} instead of {wanted}")


ABSENT = object()


def read_lines(file):
    # Not `splitlines`, which splits at U+2028 as well.
    return [json.loads(line) for line in file.read_bytes().split(b"\n") if line]


def merged(requests):
    """The fields of all requests merged into one, with the relevant header fields."""
    body = requests[0].json
    (events,) = (key for key in body if isinstance(body[key], list))
    body[events] = [event for request in requests for event in request.json[events]]
    headers = {
        f"header {name}": request.headers[name].split(";")[0]
        for request in requests
        for name in HEADERS
        if name in request.headers
    }
    return headers | flat(body)


def flat(value, path=""):
    if isinstance(value, dict) and value:
        fields = {}
        for key, inner in value.items():
            fields |= flat(inner, f"{path}.{key}" if path else key)
        return fields
    if isinstance(value, list) and value:
        fields = {}
        for index, inner in enumerate(value):
            fields |= flat(inner, f"{path}[{index}]")
        return fields
    return {path: value}


def same(left, right):
    return type(left) is type(right) and left == right


def instant(text):
    """Rounds to milliseconds, the stored precision."""
    moment = datetime.datetime.fromisoformat(text)
    return moment.replace(microsecond=moment.microsecond // 1000 * 1000).astimezone(datetime.timezone.utc)


def shown(value):
    return "nothing" if value is ABSENT else json.dumps(value, default=str)[:200]


def main():
    names = sys.argv[1:] or list(formats.ALL)
    unknown = [name for name in names if name not in formats.ALL]
    if unknown:
        sys.exit(f"error: there is no format {unknown[0]}: {', '.join(formats.ALL)}")
    command = dualsend()
    capture.stay_on_loopback()
    faults = []
    for name in names:
        with tempfile.TemporaryDirectory() as folder:
            check = Check(command, name, pathlib.Path(folder))
            check.run()
        print(f"{name}: {'; '.join(check.counts)}")
        faults += check.faults
    for fault in faults:
        print(f"error: {fault}", file=sys.stderr)
    sys.exit(1 if faults else 0)


main()
