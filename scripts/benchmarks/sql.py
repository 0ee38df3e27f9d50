"""Times the query of `dualsend sql` and `dualsend parity` on the same streams, and compares the reports.

usage: scripts/benchmark sql [PAIRS] [ENGINE…]

10,000,000 pairs in DuckDB and Spark by default; Spark needs a Java from 17 on. Takes about 4 KB of disk a pair, for the streams
and for what an engine spills; MEMORY (8g) is what an engine may keep. Builds for release, or takes the `dualsend` that DUALSEND
names. Ends with 1 if the reports differ.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "checks" / "sql"))
import engines  # noqa: E402
from checkout import release_dualsend  # noqa: E402


def measure(command):
    """The output of a process, its elapsed seconds, and its peak memory in MB."""
    start = time.perf_counter()
    process = subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    if os.waitstatus_to_exitcode(status) not in (0, 1):
        sys.exit(f"error: {command[0]} ended with {os.waitstatus_to_exitcode(status)}")
    return output, time.perf_counter() - start, usage.ru_maxrss / (1 << 10 if sys.platform == "linux" else 1 << 20)


def query(folder, name):
    """Loads the lines as in a data warehouse, and runs the query; returns the seconds of both, the memory, and the report."""
    engine = engines.ENGINES[name](folder / name, memory=os.environ.get("MEMORY", "8g"), threads=os.cpu_count())
    start = time.perf_counter()
    engine.load_each_line(folder)
    loaded = time.perf_counter()
    report = engine.run((folder / f"{name}.sql").read_text())
    print(json.dumps([loaded - start, time.perf_counter() - loaded, engine.peak_memory(), json.loads(report)]))


def comparable(report):
    """The report without the gate's texts, which a query does not have."""
    for event in report["gate"]["events"]:
        event.pop("summary", None)
        event.pop("needed", None)
    return report


def main(dualsend, pairs, names):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        subprocess.run([sys.executable, HERE / "parity.py", "--write", name, "ids", str(pairs)], check=True)
        table = folder / "table.json"
        size = sum((folder / side).stat().st_size for side in ("old.jsonl", "new.jsonl")) / 1e6
        print(f"{pairs:,} lines a side, {size:,.0f} MB together, {os.cpu_count()} processors", flush=True)
        streams = ["--old", folder / "old.jsonl", "--new", folder / "new.jsonl"]
        output, seconds, memory = measure([dualsend, "parity", *streams, "--remap", table, "--format", "json"])
        expected = comparable(json.loads(output))
        print(f"  dualsend parity  {seconds:8.1f} s  {memory:6.0f} MB", flush=True)
        for engine in names:
            (folder / f"{engine}.sql").write_text(measure([dualsend, "sql", "--remap", table, "--dialect", engine])[0])
            output, _, _ = measure([sys.executable, __file__, "--query", name, engine])
            loading, seconds, memory, actual = json.loads(output)
            print(f"  {engine:<15}  {seconds:8.1f} s  {memory:6.0f} MB, after {loading:.1f} s of loading", flush=True)
            if actual != expected:
                print(f"error: {engine} and `dualsend parity` report something else", file=sys.stderr)
                return 1
        total = expected["total"]
        print(f"  all report the same: {total['pairs']:,} pairs, {total['differing']:,} of which differ")
        return 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["--query"]:
        query(pathlib.Path(sys.argv[2]), sys.argv[3])
    else:
        pairs, *names = sys.argv[1:] or ["10000000"]
        names = [engines.prepare(name) for name in names or ["duckdb", "spark"]]
        sys.exit(main(release_dualsend(), int(pairs), names))
