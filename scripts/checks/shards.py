"""Compares `dualsend parity` in shards with one process.

usage: scripts/check shards [--spark] [EVENTS] [FORM…]

Takes 2,000 events by default, and every form: by id, with decisions, with documents, with noise, normalised, by order, many names.
The reports in all formats, the findings, the kept days and the exit statuses must be equal byte for byte. By default, the
lines of all shards are shuffled, and two tasks compare several shards each. With --spark, Examples/Pipelines/parity-spark.py
divides, shuffles and compares them in Spark; that needs a Java from 17 on, and takes pyspark from PyPI. Prints the seconds of
both and the sizes of what is passed on. DUALSEND names a built `dualsend`; without it one is built.
"""

import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

from checkout import ROOT, dualsend, need

SPARK = ROOT / "Examples" / "Pipelines" / "parity-spark.py"
SHARDS = 8
DAY = 86_400_000
# 2024-10-04T00:00:00Z.
START = 20_000 * DAY
GATES = ([], ["--max-failing", "20%", "--looks", "3", "--max-malformed", "100000"])
TABLE = {
    "formatVersion": 1,
    "events": {
        "*": {"parameters": {"uid": "user", "version": "app.version", "pos": {"to": "position", "type": "int"}}},
        **{f"event.{number}": {"name": f"new.{number}"} for number in range(0, 40, 2)},
    },
}


def rollout(revision, percent):
    return {
        "formatVersion": 1, "revision": revision, "salt": "s", "shouldSendLogToOldLogger": 100,
        "shouldSendLogToNewTracker": percent,
        "rules": [{"match": {"appVersion": ">=2"}, "shouldSendLogToNewTracker": 100}],
    }  # fmt: skip


FORMS = {
    "by id": [],
    "decisions": ["--id-key", "_id"],
    "with documents": [
        "--rollout", "rollout-1.json", "--rollout", "rollout-2.json@2024-10-05T00:00:00Z", "--unit-key", "user",
        "--app-version-key", "app.version", "--late", "2h",
    ],
    "with noise": ["--allow-one-sided", "both"],
    "normalised": ["--normalise", "firebase", "--ignore", "text"],
    "by order": ["--by-order", "--unit-key", "user", "--window", "500"],
    "many names": ["--allow-one-sided", "new"],
}  # fmt: skip


def write_streams(folder, form, events):
    """Streams with differing, lost, repeated, broken and blank lines. Times repeat, ids do not follow the order of lines."""
    chance = random.Random(form)
    for revision, percent in ((1, 5), (2, 50)):
        (folder / f"rollout-{revision}.json").write_text(json.dumps(rollout(revision, percent)))
    (folder / "table.json").write_text(json.dumps(TABLE))
    files = {name: open(folder / f"{name}.jsonl", "w", encoding="utf-8") for name in ("old", "new", "calibrate")}
    waiting = []
    for number in range(events):
        name = chance.randrange(20_000 if form == "many names" else 40)
        user, when = f"u{chance.randrange(max(events // 20, 2))}", START + number * 3 * DAY // events // 50 * 50
        values = {f"key_{key}": chance.randrange(1000) for key in range(3)} | {"text": "é\u2028" * chance.randrange(3)}
        parameters = values | {"uid": user, "version": f"{chance.randrange(1, 4)}.0", "pos": str(number % 9)}
        payload = values | {"user": user, "app": {"version": parameters["version"]}, "position": number % 9}
        fault = chance.randrange(100)
        if fault == 0:
            payload["key_1"] = str(payload["key_1"])
        elif fault == 1:
            del payload["position"]
        event_id = f"{chance.getrandbits(64):016x}" if fault != 2 else "repeated"
        old = {"name": f"event.{name}", "parameters": parameters, "unitID": user, "time": when}
        new_name = TABLE["events"].get(old["name"], {}).get("name", old["name"])
        new = {"eventId": event_id, "eventName": new_name, "eventTime": when + chance.randrange(200), "payload": payload}
        if form == "decisions":
            decision = chance.choice(["12:both", "12:old", "13:new", "13:both", "-:old"])
            parameters.update({"_id": event_id, "dual_send": decision})
            new["decision"] = decision
        elif form != "by order":
            old["eventId"] = event_id
        if fault != 3:
            files["old"].write(json.dumps(old, ensure_ascii=number % 2 == 0) + "\n")
        if fault != 4:
            waiting.append(json.dumps(new, ensure_ascii=number % 3 == 0))
        if chance.randrange(20) == 0:
            parameters["key_2"] = -1
        files["calibrate"].write(json.dumps(old) + "\n")
        if fault == 5 and number % 7 == 0:
            files["old"].write(chance.choice(["\n", "{\n", '{"name":"x","parameters":[]}\n', "7\tx\n"]))
            waiting.append(chance.choice(["", "[", '{"eventName":"x"}', '{"eventId":"y","eventName":"x","payload":{"a":01}}']))
        if len(waiting) > 5_000 or number == events - 1:
            chance.shuffle(waiting)
            files["new"].writelines(line + "\n" for line in waiting)
            waiting.clear()
    for file in files.values():
        file.close()


class Runner:
    def __init__(self, binary, folder):
        self.binary, self.folder = binary, folder

    def run(self, *arguments, stdin=None, statuses=(0, 1)):
        done = subprocess.run([self.binary, "parity", *arguments], cwd=self.folder, input=stdin, capture_output=True)
        if done.returncode not in statuses:
            sys.exit(f"error: dualsend parity {' '.join(arguments)} ended with {done.returncode}\n{done.stderr.decode()}")
        return done

    def whole(self, streams, options):
        return self.run(*streams, *options)

    def partials(self, streams, options):
        """The lines of --partial, from shuffled lines of three tasks' shards."""
        lines = self.run("--shards", str(SHARDS), *streams, *options, statuses=(0,)).stdout.splitlines(keepends=True)
        random.Random(1).shuffle(lines)
        tasks = {}
        for line in lines:
            tasks.setdefault(int(line.split(b"\t", 1)[0]) * 3 // SHARDS, []).append(line)
        done = [self.run("--partial", *options, stdin=b"".join(task), statuses=(0,)).stdout for task in tasks.values()]
        print(f"    {sum(map(len, lines)):,} bytes in shards, {sum(map(len, done)):,} in {len(done)} partial results")
        return b"".join(done)

    def spark(self, streams, options):
        """The merged report of the job, without its findings: Spark writes messages of its own beside them."""
        command = [sys.executable, str(SPARK), str(SHARDS), *streams[1::2], "--", *options]
        environment = os.environ | {"DUALSEND": self.binary, "SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable}
        environment["PYSPARK_SUBMIT_ARGS"] = f"--master local[{os.cpu_count()}] --driver-memory 2g pyspark-shell"
        done = subprocess.run(command, cwd=self.folder, env=environment, capture_output=True)
        if done.returncode not in (0, 1):
            sys.exit(f"error: {' '.join(command)} ended with {done.returncode}\n{done.stderr.decode()[-5000:]}")
        return done


def same(what, expected, actual, folder):
    if expected == actual:
        return True
    print(f"    {what} differ: {folder}/expected and {folder}/actual")
    for name, content in (("expected", expected), ("actual", actual)):
        (folder / name).write_bytes(content if isinstance(content, bytes) else str(content).encode())
    return False


def compare(runner, form, with_spark):
    """Whether everything that one process prints and keeps is what the shards give."""
    folder, options = runner.folder, ["--remap", "table.json", *FORMS[form]]
    names = ["--old", "old.jsonl", "--new", "new.jsonl"]
    streams = names + (["--calibrate", "calibrate.jsonl"] if form == "with noise" else [])
    (folder / "whole.days").unlink(missing_ok=True)
    (folder / "merged.days").unlink(missing_ok=True)
    start = time.perf_counter()
    expected = runner.whole(streams, [*options, "--format", "json", "--trend", "whole.days"])
    whole_seconds = time.perf_counter() - start
    print(f"    {json.loads(expected.stdout)['total']['pairs']:,} pairs, {len(expected.stdout):,} bytes of report")
    start = time.perf_counter()
    if with_spark:
        actual = runner.spark(streams, [*options, "--format", "json", "--trend", "merged.days"])
        print(f"    one process {whole_seconds:.1f} s, Spark {time.perf_counter() - start:.1f} s")
    else:
        partials = runner.partials(streams, options)
        actual = runner.run("--merge", *names, *options, "--format", "json", "--trend", "merged.days", stdin=partials)
        print(f"    one process {whole_seconds:.1f} s, in shards {time.perf_counter() - start:.1f} s")
    days = [(folder / name).read_bytes() for name in ("whole.days", "merged.days")]
    good = same("the reports", expected.stdout, actual.stdout, folder) and same("the days", *days, folder)
    good = good and same("the statuses", expected.returncode, actual.returncode, folder)
    if with_spark:
        return good
    for gate in GATES:
        for format in ("text", "json", "markdown", "html"):
            more = [*options, *gate, "--format", format]
            expected, actual = runner.whole(streams, more), runner.run("--merge", *names, *more, stdin=partials)
            for what in ("stdout", "stderr", "returncode"):
                good = good and same(f"{what} ({format})", getattr(expected, what), getattr(actual, what), folder)
    return good


def main(arguments):
    with_spark = "--spark" in arguments
    rest = [argument for argument in arguments if argument != "--spark"]
    events = int(rest.pop(0)) if rest and rest[0].isdigit() else 2_000
    if with_spark:
        need("pyspark", "pyspark>=4.0")
    binary = str(pathlib.Path(dualsend()).resolve())
    failed = []
    for form in rest or FORMS:
        print(form)
        folder = pathlib.Path(tempfile.mkdtemp(prefix="dualsend-shards-"))
        write_streams(folder, form, events)
        if compare(Runner(binary, folder), form, with_spark):
            subprocess.run(["rm", "-rf", str(folder)], check=True)
        else:
            failed.append(form)
    print(f"{events:,} events: " + (f"different: {', '.join(failed)}" if failed else "every form gives the report of one process"))
    return 1 if failed else 0


if sys.argv[1:2] in (["-h"], ["--help"]):
    print(__doc__)
else:
    sys.exit(main(sys.argv[1:]))
