"""Runs the query of `dualsend sql` in DuckDB or Spark, and compares it with `dualsend parity`.

usage: scripts/check sql [CASES] [FIRST_SEED] [ENGINE]

Compares on the fixtures, on skewed streams, and on random tables and streams: 10 cases from seed 1 by default. ENGINE is
duckdb (the default) or spark, which needs a Java from 17 on; duckdb==1.4.0 or pyspark==4.0.0 takes that version. DUALSEND names
a built `dualsend`; without it one is built.

A report is compared as a whole: every count, every example, every bound to its last bit. Left out are `summary` and
`needed` of the gate, which the query does not have.
"""

import json
import pathlib
import random
import subprocess
import sys
import tempfile

import engines
import streams
from checkout import dualsend

FIXTURES = pathlib.Path("Fixtures")
CONFORMANCE = "the conformance suite"
GATES = ([], ["--max-mismatch", "20%", "--looks", "3", "--max-malformed", "1000"], ["--max-mismatch", "100%"])


class Comparison:
    def __init__(self, dualsend, engine):
        self.dualsend = dualsend
        self.engine = engine

    def run(self, *arguments, statuses=(0,)):
        done = subprocess.run([self.dualsend, *map(str, arguments)], capture_output=True)
        if done.returncode not in statuses:
            sys.exit(f"error: dualsend {' '.join(map(str, arguments))} ended with {done.returncode}\n{done.stderr.decode()}")
        return done

    def parity(self, folder, table, options):
        streams = ["--old", folder / "old.jsonl", "--new", folder / "new.jsonl"]
        done = self.run("parity", *streams, "--remap", table, "--format", "json", *options, statuses=(0, 1))
        report = json.loads(done.stdout)
        for event in report["gate"]["events"]:
            event.pop("summary")
            event.pop("needed", None)
        return report

    def query(self, folder, table, options):
        sql = self.run("sql", "--remap", table, "--dialect", self.engine.dialect, *options).stdout.decode()
        self.engine.load(folder)
        return json.loads(self.engine.run(sql))

    def differences(self, folder, table, options):
        """The differences between the two reports, and the report of `dualsend parity`."""
        expected = self.parity(folder, table, options)
        actual = self.query(folder, table, options)
        if "refused" in actual:
            return [f"the query refuses {json.dumps(actual['refused'])}"], expected
        return list(differences(in_order(expected), in_order(actual))), expected


def in_order(report):
    """The report with its fields in a unique order."""
    for event in report["events"]:
        event["fields"].sort(key=lambda field: json.dumps(field, sort_keys=True))
    return report


def differences(expected, actual, place=""):
    if isinstance(expected, dict) and isinstance(actual, dict):
        for key in sorted(expected.keys() | actual.keys()):
            yield from differences(expected.get(key), actual.get(key), f"{place}.{key}")
    elif isinstance(expected, list) and isinstance(actual, list) and len(expected) == len(actual):
        for index, pair in enumerate(zip(expected, actual)):
            yield from differences(*pair, f"{place}[{index}]")
    elif expected != actual:
        yield f"{place}: {json.dumps(expected)} of parity is {json.dumps(actual)} of the query"


def check_refusals(comparison, folder):
    """Rows that SQL cannot express exactly must be refused with their position."""
    table = folder / "refused.json"
    table.write_text(
        '{"formatVersion": 1, "events": {"a": {"parameters": {\n  "x": {"to": "y", "default": {"z": 1}}\n}}}}\n'
    )
    yield from refusal("a default that is an object", comparison, table, "refused.json:2:31")
    rules = folder / "rules.json"
    rules.write_text('{\n  "formatVersion": 1,\n  "maximumStringLength": 5\n}\n')
    table.write_text('{"formatVersion": 1, "events": {}}\n')
    yield from refusal("a limit of strings", comparison, table, "rules.json:3:3", "--normalise", rules)
    if comparison.engine.knows_normal_forms:
        return
    table.write_text('{"formatVersion": 1, "events": {"a": {"parameters": {\n  "x": "e\u0301"\n}}}}\n')
    yield from refusal("a decomposed target", comparison, table, "refused.json:2:8")
    table.write_text('{"formatVersion": 1, "events": {}}\n')
    line = '{"eventId":"1","%s":"%s","%s":{"%s":1}}'
    streams.write_lines(folder / "old.jsonl", [line % ("name", "a", "parameters", "e\u0301")])
    streams.write_lines(folder / "new.jsonl", [line % ("eventName", "a", "payload", "\u00e9")])
    report = comparison.query(folder, table, [])
    if [event["event"] for event in report.get("refused", [])] != ["a"]:
        yield f"a decomposed key: {json.dumps(report)}"


def check_numbers(comparison, folder, table):
    """Streams with duplicate line numbers, as from several files, or without."""
    streams.fixtures(comparison.dualsend, folder, table)
    sql = comparison.run("sql", "--remap", table, "--dialect", comparison.engine.dialect).stdout.decode()
    for title, line_number in (
        ("one number for all lines", "CAST(1 AS BIGINT)"),
        ("two lines with one number", "CASE WHEN number = 7 THEN CAST(6 AS BIGINT) ELSE number END"),
        ("a line without a number", "CASE WHEN number = 1 THEN CAST(NULL AS BIGINT) ELSE number END"),
    ):
        comparison.engine.load(folder, line_number)
        try:
            found = comparison.engine.run(sql)
        except Exception as error:  # Each engine has its own for a query that ends itself.
            found = str(error)
        if "the same line_number" not in found:
            yield f"{title}: {found[:1000]}"
    comparison.engine.load(folder, "CAST(number AS STRING)")
    expected = comparison.parity(folder, table, [])
    for fault in differences(in_order(expected), in_order(json.loads(comparison.engine.run(sql)))):
        yield f"numbers as texts: {fault}"


def refusal(title, comparison, table, place, *options):
    sql = ["sql", "--remap", table, "--dialect", comparison.engine.dialect, *options]
    done = comparison.run(*sql, statuses=(2,))
    if b"DS0801" not in done.stderr or place.encode() not in done.stderr or done.stdout:
        yield f"{title}: {done.stderr.decode()}"


def unequal(report):
    """What of the conformance suite does not have three equal pairs and one that differs."""
    events = report["events"]
    if len(events) < 200:
        yield f"only {len(events)} cases of the conformance suite were compared"
    for event in events:
        if (event["pairs"], event["differing"]) != (4, 1):
            yield f"conformance: {event['event']}: {event['pairs']} pairs, {event['differing']} of which differ"


def cases(comparison, count, first_seed):
    """A name, a function that fills a folder and gives the table and the options, for each case."""
    table = FIXTURES / "legacy" / "remapping.json"
    for gate in GATES:
        yield f"fixtures {' '.join(gate)}", lambda folder, gate=gate: (
            streams.fixtures(comparison.dualsend, folder, table), table, gate)[1:]
    for name, write in streams.SKEWED.items():
        yield name, lambda folder, write=write: (write(comparison.dualsend, folder, table), table, [])[1:]
    yield CONFORMANCE, lambda folder: (
        streams.conformance(folder, comparison.engine.knows_normal_forms), [])
    yield "defaults in arrays", lambda folder: streams.array_defaults(comparison.dualsend, folder)
    yield "plain lines", lambda folder: streams.plain_lines(comparison.dualsend, folder)
    yield "an id's key twice", lambda folder: streams.repeated_id_key(comparison.dualsend, folder)
    valid = sorted((FIXTURES / "remapping" / "valid").glob("*.json"))
    for seed in range(first_seed, first_seed + count):
        given = valid[seed % len(valid)] if seed % 4 == 0 else None
        yield f"seed {seed}", lambda folder, seed=seed, given=given: streams.random_case(
            comparison.dualsend, folder, seed, given, comparison.engine.knows_normal_forms)


def main(dualsend, count, first_seed, engine):
    faults = []
    pairs = differing = checked = 0
    with tempfile.TemporaryDirectory() as name:
        comparison = Comparison(dualsend, engines.ENGINES[engine](pathlib.Path(name) / "engine"))
        faults += check_refusals(comparison, pathlib.Path(name))
        faults += check_numbers(comparison, pathlib.Path(name), FIXTURES / "legacy" / "remapping.json")
        for title, write in cases(comparison, count, first_seed):
            folder = pathlib.Path(name) / str(checked)
            folder.mkdir()
            table, options = write(folder)
            found, report = comparison.differences(folder, table, list(options))
            faults += [f"{title} {' '.join(options)}: {fault}" for fault in found[:20]]
            if title == CONFORMANCE:
                faults += unequal(report)
            checked += 1
            pairs += report["total"]["pairs"]
            differing += report["total"]["differing"]
    for fault in faults:
        print(f"error: {fault}", file=sys.stderr)
    print(f"{checked} comparisons of {pairs:,} pairs, {differing:,} of which differ: {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    count, first_seed, engine = (sys.argv[1:] + ["10", "1", "duckdb"][len(sys.argv) - 1 :])[:3]
    sys.exit(main(dualsend(), int(count), int(first_seed), engines.prepare(engine)))
