"""Times `dualsend parity` beside the same full join in DuckDB.

Both run on the same files, each on one thread and on two; all must report the same.

usage: scripts/benchmark parity [PAIRS] [ROUNDS]

1,000,000 pairs in 3 rounds by default; about 1.5 KB of disk a pair. Builds for release, or takes the `dualsend` that DUALSEND
names. Ends with 1 if the totals differ, if `dualsend parity` takes more than 200 MB, or if a join takes longer than DuckDB's.

Both read two files of JSON lines in different orders, join them, rename old keys and convert one value as a table says,
and count the outcomes (equal, missing, extra, type or value changed) per event and field. Neither is told
beforehand which keys the payloads have. The rounds alternate; the medians are compared. Three cases:

- ids: 40 events, joined by event id.
- one event: all lines have one name and are joined by order in time.
- one id: all lines have one id, so that there is one pair, and every other line repeats it
  with another payload: it is not compared. DuckDB has no part in this:
  its join would make a row of every old line with every new one.
"""

import json
import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile
import time
import uuid

from checkout import need, release_dualsend

CASES = ("ids", "one event", "one id")
EVENTS = 40
RENAMED = 8
MEMORY_LIMIT_MB = 200
THREADS = (1, 2)
OUTCOMES = ("equal", "missing", "extra", "typeChanged", "valueChanged")


def write_streams(folder, case, pairs):
    """Old events with eleven keys, and the new events for them; up to 2 in 1,000 have a fault."""
    rows = {f"old_key_{key}": f"new_key_{key}" for key in range(RENAMED)} | {"pos": {"to": "position", "type": "int"}}
    events = {f"event.{number}": {"name": f"new.{number}", "parameters": rows} for number in range(EVENTS)}
    (folder / "table.json").write_text(json.dumps({"formatVersion": 1, "events": events}))
    chance = random.Random(1)
    new_lines = []
    with open(folder / "old.jsonl", "w") as old_file:
        for number in range(pairs):
            head = {"eventId": str(uuid.UUID(int=1 if case == "one id" else chance.getrandbits(128)))}
            event, time_ms = 0 if case == "one event" else chance.randrange(EVENTS), 1_700_000_000_000 + number
            old = {
                f"old_key_{key}": chance.randrange(1000) if key % 2 else f"value {chance.randrange(100_000)}"
                for key in range(RENAMED)
            }
            new = {key.replace("old", "new"): value for key, value in old.items()}
            position = chance.randrange(50)
            shared = {"free": "text text", "on": True, "share": chance.randrange(1000) / 8 + 0.0625}
            old, new = old | {"pos": str(position)} | shared, new | {"position": position} | shared
            fault = chance.randrange(3000)
            if case != "ids" and fault in (4, 5):
                # In a join by order, a missing line would separate every later pair.
                fault = 0
            if fault == 0:
                del new["position"]
            elif fault == 1:
                new["more"] = 1
            elif fault == 2:
                new["new_key_1"] = str(new["new_key_1"])
            elif fault == 3:
                new["new_key_2"] = "another value"
            if fault != 4:
                line = head | {"name": f"event.{event}", "parameters": old, "unitID": "u1", "time": time_ms}
                old_file.write(json.dumps(line, separators=(",", ":")) + "\n")
            if fault != 5:
                line = head | {"eventName": f"new.{event}", "eventTime": time_ms, "payload": dict(sorted(new.items()))}
                new_lines.append(json.dumps(line, separators=(",", ":")))
    chance.shuffle(new_lines)
    (folder / "new.jsonl").write_text("\n".join(new_lines) + "\n")


def totals(events):
    """A report reduced to its counts other than 0, for the comparison."""
    return {
        name: (lines, {field: counts for field, counts in fields.items() if any(counts)})
        for name, lines, fields in events
    }


def dualsend_totals(report):
    return totals(
        (
            event["name"],
            [event["pairs"], event["oldOnly"], event["newOnly"]],
            {field["path"]: [field[outcome] for outcome in OUTCOMES] for field in event["fields"]},
        )
        for event in json.loads(report)["events"]
    )


def duckdb_totals(folder, case, threads):
    """The join in SQL.

    The quickest of the forms that were tried: first the keys of each side are collected, then each payload is read as a
    struct with a JSON text for each key, so that the join compares columns. One row for each key of each event takes four
    times as long and 3 GB, extracting each key from the whole payload twice as long. Told the keys beforehand, it would
    be spared about a third of its time.
    """
    import duckdb

    connection = duckdb.connect()
    connection.execute(f"PRAGMA threads={threads}")
    table = json.loads((folder / "table.json").read_text())["events"]
    rows = {old: row if isinstance(row, dict) else {"to": row} for old, row in table["event.0"]["parameters"].items()}

    def stream(side, columns):
        names = ", ".join(f"{name}: '{kind}'" for name, kind in columns.items())
        return f"read_json('{folder / side}.jsonl', format='newline_delimited', columns={{{names}}})"

    def keys(side, payload):
        source = stream(side, {payload: "JSON"})
        found = connection.execute(f"SELECT DISTINCT unnest(json_keys({payload})) FROM {source}").fetchall()
        return sorted(key for key, in found)

    def struct(keys):
        return "STRUCT(" + ", ".join(f'"{key}" JSON' for key in keys) + ")"

    old_keys, new_keys = keys("old", "parameters"), keys("new", "payload")
    expected = {}
    for key in old_keys:
        row = rows.get(key, {"to": key})
        value = f'o.parameters."{key}"'
        if row.get("type") == "int":
            value = f"coalesce(try_cast(trim({value}, '\"') AS BIGINT)::VARCHAR, {value})"
        expected[row["to"]] = value
    actual = {key: f'n.payload."{key}"' for key in new_keys}
    fields = sorted(expected.keys() | actual.keys())
    counts = []
    for field in fields:
        left, right = expected.get(field, "NULL"), actual.get(field, "NULL")
        changed = f"o.eventId IS NOT NULL AND n.eventId IS NOT NULL AND {left} <> {right}"
        counts += [
            f"count(*) FILTER ({left} = {right})",
            f"count(*) FILTER ({left} IS NOT NULL AND {right} IS NULL AND n.eventId IS NOT NULL)",
            f"count(*) FILTER ({left} IS NULL AND {right} IS NOT NULL AND o.eventId IS NOT NULL)",
            f"count(*) FILTER (CASE WHEN {changed} THEN {json_type(left)} <> {json_type(right)} ELSE false END)",
            f"count(*) FILTER (CASE WHEN {changed} THEN {json_type(left)} = {json_type(right)} ELSE false END)",
        ]
    old_columns = {"eventId": "VARCHAR", "name": "VARCHAR", "parameters": struct(old_keys)}
    new_columns = {"eventId": "VARCHAR", "eventName": "VARCHAR", "payload": struct(new_keys)}
    if case == "one event":
        # The rank by time replaces the id.
        old_columns, new_columns = old_columns | {"time": "BIGINT"}, new_columns | {"eventTime": "BIGINT"}
        select = "(SELECT * REPLACE (row_number() OVER (PARTITION BY {} ORDER BY {}) AS eventId) FROM {})"
        old_stream = select.format("name", "time", stream("old", old_columns))
        new_stream = select.format("eventName", "eventTime", stream("new", new_columns))
    else:
        old_stream, new_stream = stream("old", old_columns), stream("new", new_columns)
    result = connection.execute(
        f"""
        SELECT coalesce(o.name, replace(n.eventName, 'new.', 'event.')) AS event,
          count(*) FILTER (o.eventId IS NOT NULL AND n.eventId IS NOT NULL),
          count(*) FILTER (n.eventId IS NULL), count(*) FILTER (o.eventId IS NULL), {", ".join(counts)}
        FROM {old_stream} o FULL JOIN {new_stream} n USING (eventId) GROUP BY event
        """
    ).fetchall()
    width = len(OUTCOMES)
    return totals(
        (name, list(lines), {field: list(counts[index * width :][:width]) for index, field in enumerate(fields)})
        for name, *lines, counts in ((row[0], *row[1:4], row[4:]) for row in result)
    )


def json_type(text):
    """The type of a JSON text, all numbers being one."""
    return f"""CASE WHEN {text} LIKE '"%' THEN 's' WHEN {text} IN ('true', 'false') THEN 'b' ELSE 'n' END"""


def measure(command):
    """The output of a process, its elapsed and processor seconds, and its peak memory in MB."""
    start = time.perf_counter()
    # The streams differ on purpose, so status 1 is expected; another status is an error.
    with tempfile.TemporaryFile("w+") as faults:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=faults, text=True)
        output = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        if os.waitstatus_to_exitcode(status) not in (0, 1):
            faults.seek(0)
            sys.exit(f"error: {command[0]} ended with {os.waitstatus_to_exitcode(status)}\n{faults.read()}")
    # Kilobytes on Linux, bytes on macOS.
    memory = usage.ru_maxrss / (1 << 10 if sys.platform == "linux" else 1 << 20)
    return output, seconds, usage.ru_utime + usage.ru_stime, memory


def measure_case(dualsend, case, pairs, rounds):
    """Runs one case and prints its figures; returns one text per exceeded limit."""
    programs = ("dualsend parity",) if case == "one id" else ("dualsend parity", "DuckDB")
    measured = {(program, threads): [] for threads in THREADS for program in programs}
    reports = {}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        # In a separate process: the memory of this one would count for its children too.
        subprocess.run([sys.executable, __file__, "--write", name, case, str(pairs)], check=True)
        old, new = folder / "old.jsonl", folder / "new.jsonl"
        size = (old.stat().st_size + new.stat().st_size) / 1e6
        print(f"{case}: {pairs:,} lines a side, {size:,.0f} MB, {os.cpu_count()} processors, {rounds} rounds", flush=True)
        parity = [dualsend, "parity", "--old", old, "--new", new, "--remap", folder / "table.json", "--format", "json"]
        if case == "one event":
            parity.append("--by-order")
        commands = {}
        for threads in THREADS:
            commands["dualsend parity", threads] = [*parity, "--threads", threads]
            commands["DuckDB", threads] = [sys.executable, __file__, "--duckdb", name, case, threads]
        for _ in range(rounds):
            for program in measured:
                output, *figures = measure([str(word) for word in commands[program]])
                measured[program].append(figures)
                reports[program] = output

    medians = {}
    for program, figures in measured.items():
        seconds, processor, memory = (statistics.median(column) for column in zip(*figures))
        medians[program] = (seconds, processor, memory)
        name = f"{program[0]}, {program[1]} thread{'s' if program[1] > 1 else ''}"
        print(f"  {name:26} {seconds:6.2f} s by the clock  {processor:6.2f} s of the processor  {memory:5.0f} MB")
    faults = []
    report = reports["dualsend parity", 1]
    total = json.loads(report)["total"]
    for threads in THREADS:
        ours = medians["dualsend parity", threads]
        if ours[2] > MEMORY_LIMIT_MB:
            faults.append(f"dualsend parity on {threads} threads takes more than {MEMORY_LIMIT_MB} MB")
        if reports["dualsend parity", threads] != report:
            faults.append(f"dualsend parity on {threads} threads reports something else than on one")
    if case == "one id":
        counted = [total[count] for count in ("uncompared", "oldDuplicates", "newDuplicates", "oldOnly", "newOnly")]
        if counted != [1, pairs - 1, pairs - 1, 0, 0]:
            faults.append(f"the pair and what repeats it are counted as {counted}")
        return faults
    for threads in THREADS:
        ours, theirs = medians["dualsend parity", threads], medians["DuckDB", threads]
        ratios = theirs[0] / ours[0], theirs[1] / ours[1]
        print(f"  {threads}: DuckDB takes {ratios[0]:.2f} times as long by the clock, {ratios[1]:.2f} times of the processor")
        if min(ratios) < 1:
            faults.append(f"dualsend parity takes longer than DuckDB, threads: {threads}")
        duckdb_report = {event: tuple(counts) for event, counts in json.loads(reports["DuckDB", threads]).items()}
        if dualsend_totals(report) != duckdb_report:
            faults.append("the two report different totals")
    if not faults:
        print(f"  all report the same: {total['pairs']:,} pairs, {total['differing']:,} of which differ")
    return faults


def main(dualsend, pairs, rounds):
    faults = [f"{case}: {fault}" for case in CASES for fault in measure_case(dualsend, case, pairs, rounds)]
    for fault in faults:
        print(f"error: {fault}", file=sys.stderr)
    if not faults:
        print(f"every case stays below {MEMORY_LIMIT_MB} MB, and no join takes longer than DuckDB's")
    return 1 if faults else 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["--write"]:
        write_streams(pathlib.Path(sys.argv[2]), sys.argv[3], int(sys.argv[4]))
    elif sys.argv[1:2] == ["--duckdb"]:
        print(json.dumps(duckdb_totals(pathlib.Path(sys.argv[2]), sys.argv[3], int(sys.argv[4]))))
    else:
        need("duckdb", "duckdb>=1.1")
        pairs, rounds = (sys.argv[1:] + ["1000000", "3"][len(sys.argv) - 1 :])[:2]
        sys.exit(main(release_dualsend(), int(pairs), int(rounds)))
