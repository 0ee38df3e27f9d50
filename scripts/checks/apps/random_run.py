"""Compares the exact claims of the source tool with the events of random programs."""

import collections
import concurrent.futures
import json
import shutil

import programs
from tool import ToolError, certainty, claimed, run

BATCH = 250
#: The limit of programs shown for each kind of fault.
SHOWN = 8


class Batch:
    """Some programs, compiled as one."""

    def __init__(self, scratch, seed, numbers):
        self.numbers, self.folder = numbers, scratch / f"random-{numbers.start}"
        shutil.rmtree(self.folder, ignore_errors=True)
        (self.folder / "Sources").mkdir(parents=True)
        text, self.lines = programs.file_of(seed, numbers)
        self.bodies = text.splitlines()
        self.write("Sources/Programs.swift", text)
        self.write("Sources/Shared.swift", programs.SHARED)
        self.write("Sources/Log.swift", programs.RUNNER)
        self.write("Sent.swift", programs.SENT)
        self.write("main.swift", "\n".join(f"Sent.run({number}, program{number})" for number in numbers))
        self.write("calls.json", json.dumps(programs.CALLS))

    def write(self, name, text):
        (self.folder / name).write_text(text)

    def compile_and_run(self, name):
        """The events of each program: names with their keys."""
        files = sorted(self.folder.glob("Sources/*.swift")) + [self.folder / "Sent.swift", self.folder / "main.swift"]
        run(["swiftc", "-swift-version", "5", "-suppress-warnings", "-module-name", "Programs", "-o", self.folder / name, *files],
            self.folder)
        sent = {number: set() for number in self.numbers}
        for line in run([self.folder / name], self.folder)[0].splitlines():
            number, *shape = line.split("\1")
            if shape:
                sent[int(number)].add((shape[0], frozenset(shape[1:])))
        return sent

    def source(self, number):
        """A program as it was written."""
        begin = next(index for index, line in enumerate(self.bodies) if line.startswith(f"func program{number}("))
        end = self.bodies.index("}", begin)
        return "\n".join("      " + line for line in self.bodies[begin + 1:end])


def claim_faults(claim, shapes):
    """The sent events that the claim excludes."""
    for name, keys in sorted(shapes, key=lambda shape: (shape[0], sorted(shape[1]))):
        if name not in claim:
            yield f"sends `{name}`, which is not listed"
            continue
        always, sometimes = claim[name]
        if more := keys - always - sometimes:
            yield f"`{name}` is sent with {sorted(more)}, not listed"
        if less := always - keys:
            yield f"`{name}` is sent without {sorted(less)}"


def is_loose(claim, shapes):
    """Whether the claim allows events that are never sent. This is not a fault: conditions may exclude each other."""
    names = {name for name, _ in shapes}
    every = {name: frozenset().union(*(keys for other, keys in shapes if other == name)) for name in names}
    always = {name: frozenset.intersection(*(keys for other, keys in shapes if other == name)) for name in names}
    return claim.keys() != names or any(
        claim[name][0] != always[name] or claim[name][0] | claim[name][1] != every[name] for name in names)


def measure(batch, tool):
    """The counts of one batch, and its faults."""
    counts, faults = collections.Counter(), []
    sent = batch.compile_and_run("before")
    found, seconds = tool.inventory(batch.folder, ["Sources"], "calls.json")
    counts["ms"] = int(seconds * 1000)
    for number, line in batch.lines.items():
        calls = found.get(("Sources/Programs.swift", line), [])
        if not calls:
            counts["lost"] += 1
            faults.append((number, "lost: no place is listed"))
            continue
        how = certainty(calls)
        counts[how] += 1
        if how == "exact" and sent[number]:
            claim = claimed(calls)
            counts["loose"] += is_loose(claim, sent[number])
            if wrong := list(claim_faults(claim, sent[number])):
                counts["wrong"] += 1
                faults.append((number, "wrong exact: " + "; ".join(wrong[:3])))
    return counts, faults


def measured(scratch, seed, numbers, tool):
    """Measures a batch; returns the programs if it could not be measured."""
    batch = Batch(scratch, seed, numbers)
    try:
        counts, faults = measure(batch, tool)
    except ToolError as error:
        return collections.Counter(broken=len(numbers)), [
            ("broken", f"programs {numbers.start} to {numbers.stop - 1}: {error}")]
    shutil.rmtree(batch.folder) if not faults else None
    return counts, [(fault, f"program {number}: {fault}\n{batch.source(number)}") for number, fault in faults]


def main(count, seed, tool, scratch):
    """Measures `count` programs; returns the numbers of passed and failed ones."""
    for old in scratch.glob("random-*"):
        shutil.rmtree(old)
    total, shown = collections.Counter(), collections.Counter()
    ranges = [range(begin, min(begin + BATCH, count)) for begin in range(0, count, BATCH)]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for counts, faults in pool.map(lambda numbers: measured(scratch, seed, numbers, tool), ranges):
            total.update(counts)
            for fault, text in sorted(faults, key=lambda fault: len(fault[1])):
                kind = fault.split(":")[0]
                shown[kind] += 1
                if shown[kind] <= SHOWN:
                    print("  " + text, flush=True)
    print(f"{count:,} programs, seed {seed}: " + ", ".join(
        f"{total[what]:,} {what}" for what in
        ["exact", "partial", "dynamic", "lost", "wrong", "loose", "broken", "ms"]))
    failed = total["lost"] + total["wrong"] + total["broken"]
    return count - failed, failed
