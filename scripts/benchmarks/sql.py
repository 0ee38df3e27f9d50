"""Times the query of `dualsend sql` and `dualsend parity` on the same streams, and compares the reports.

usage: scripts/benchmark sql [PAIRS] [ENGINE…]

10,000,000 pairs in DuckDB and Spark by default; Spark needs a Java from 17 on. Takes about 4 KB of disk a pair, for the streams
and for what an engine spills; MEMORY (8g) is what an engine may keep. Builds for release, or takes the `dualsend` that DUALSEND
names. STAGES=1 also shows the stages that take a second in Spark, with the columns by which they shuffle rows. Ends with 1 if
the reports differ.
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
    """The output of a process, its elapsed and processor seconds, and its peak memory in MB."""
    start = time.perf_counter()
    process = subprocess.Popen([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    if os.waitstatus_to_exitcode(status) not in (0, 1):
        sys.exit(f"error: {command[0]} ended with {os.waitstatus_to_exitcode(status)}")
    memory = usage.ru_maxrss / (1 << 10 if sys.platform == "linux" else 1 << 20)
    return output, time.perf_counter() - start, usage.ru_utime + usage.ru_stime, memory


def query(folder, name):
    """Loads the lines as in a data warehouse, and runs the query; prints the seconds of both, the processor seconds of the
    query, the memory, the stages if asked for, and the report."""
    engine = engines.ENGINES[name](folder / name, memory=os.environ.get("MEMORY", "8g"), threads=os.cpu_count())
    start = time.perf_counter()
    engine.load_each_line(folder)
    loaded, processor = time.perf_counter(), engine.processor_seconds()
    stages = [] if os.environ.get("STAGES") else None
    report = engine.run((folder / f"{name}.sql").read_text(), stages)
    seconds, processor = time.perf_counter() - loaded, engine.processor_seconds() - processor
    print(json.dumps([loaded - start, seconds, processor, engine.peak_memory(), stages or [], json.loads(report)]))


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
        output, seconds, base, memory = measure([dualsend, "parity", *streams, "--remap", table, "--format", "json"])
        expected = comparable(json.loads(output))
        print(f"  dualsend parity  {seconds:8.1f} s  {base:8.1f} s of processors  {memory:6.0f} MB", flush=True)
        for engine in names:
            (folder / f"{engine}.sql").write_text(measure([dualsend, "sql", "--remap", table, "--dialect", engine])[0])
            output, *_ = measure([sys.executable, __file__, "--query", name, engine])
            loading, seconds, processor, memory, stages, actual = json.loads(output)
            figures = f"{seconds:8.1f} s  {processor:8.1f} s of processors  {memory:6.0f} MB"
            print(f"  {engine:<15}  {figures}, {processor / base:.1f} times, after {loading:.1f} s of loading", flush=True)
            for stage, seconds, columns in stages:
                if seconds >= 1:
                    print(f"    {stage:<16}  {seconds:6.1f} s  shuffles by {'; '.join(columns) or 'nothing'}", flush=True)
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
