"""Runs the command that reads sources, and the compiler."""

import collections
import json
import os
import pathlib
import re
import resource
import subprocess

from checkout import dualsend

SUPPORT = pathlib.Path("Fixtures/apps/Support").resolve()


class ToolError(Exception):
    """A failed command, with the end of its output."""


def run(command, folder, timeout=600, allowed=(0,)):
    """Runs a command and returns its standard output and standard error."""
    try:
        done = subprocess.run(
            list(map(str, command)), cwd=folder, capture_output=True, text=True, errors="replace", timeout=timeout)
    except subprocess.TimeoutExpired as error:
        raise ToolError(f"{pathlib.Path(command[0]).name} takes more than {timeout} s") from error
    if done.returncode not in allowed:
        raise ToolError((done.stderr or done.stdout).strip()[-1500:] or f"ended with {done.returncode}")
    return done.stdout, done.stderr


def processor_seconds():
    """The processor seconds of all ended commands, all threads together."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


class SourceTool:
    """`dualsend inventory`."""

    def __init__(self, binary):
        self.binary = binary
        self.helps = {}

    def has(self, option, *verb):
        """Whether a verb has an option."""
        if verb not in self.helps:
            self.helps[verb] = run([self.binary, *verb, "--help"], ".")[0]
        return option in self.helps[verb]

    def excluding(self, folders, *verb):
        return [part for folder in folders for part in ("--exclude", folder)] if self.has("--exclude", *verb) else []

    def inventory(self, folder, sources, calls, exclude=()):
        """The calls of each place, and the processor's seconds that it took: a busy machine does not change those."""
        begin = processor_seconds()
        printed, _ = run(
            [self.binary, "inventory", "--calls", calls, "--format", "json"]
            + self.excluding(exclude, "inventory") + list(sources),
            folder, allowed=(0, 1))
        seconds = processor_seconds() - begin
        found = collections.defaultdict(list)
        for line in printed.splitlines():
            call = json.loads(line)
            found[call["file"].removeprefix("./"), call["line"]].append(call)
        return found, seconds

    def renamed(self, folder, sources, calls, table, exclude=()):
        """The new events of each place by a table: its line in the list."""
        printed, _ = run(
            [self.binary, "inventory", "--calls", calls, "--remap", table, "--format", "json"]
            + self.excluding(exclude, "inventory") + list(sources),
            folder, allowed=(0, 1))
        return list(map(json.loads, printed.splitlines()))


def claimed(calls):
    """The claimed events of a place: for each name, the keys that are always sent, and the others."""
    events = {}
    for call in calls:
        for event in call["events"]:
            always = {bare(row["key"]) for row in event["parameters"] if not row["optional"]}
            every = {bare(row["key"]) for row in event["parameters"]}
            if event["name"] in events:
                # A key that is missing in one shape is not always sent.
                old_always, old_sometimes = events[event["name"]]
                events[event["name"]] = always & old_always, (old_always | old_sometimes | every) - (always & old_always)
            else:
                events[event["name"]] = always, every - always
    return events


def bare(key):
    """The top-level key: `a` for `a.b` and `a[]`."""
    parts = re.match(r"(?:[^.\\\[]|\\.)*", key)[0]
    return re.sub(r"\\(.)", r"\1", parts)


def certainty(calls):
    """The lowest certainty of a place."""
    return min((call["certainty"] for call in calls), key=["dynamic", "partial", "exact"].index)


def compile_app(folder, output, modules=()):
    """Compiles an app: its modules first, then its own files and the stand-ins."""
    support = sorted(SUPPORT.glob("*.swift"))
    flags = ["-swift-version", "5", "-suppress-warnings"]
    links = []
    for module in modules:
        files = sorted((folder / module).rglob("*.swift"))
        run(["swiftc", *flags, "-I", output.parent, "-emit-library", "-static", "-emit-module", "-module-name", module, "-emit-module-path",
             output.parent / f"{module}.swiftmodule", "-o", output.parent / f"lib{module}.a", *files, *support], folder)
        links += ["-I", output.parent, "-L", output.parent, f"-l{module}"]
        support = []
    files = sorted((folder / "Sources").rglob("*.swift"))
    run(["swiftc", *flags, "-module-name", "App", *links, "-o", output, *files, *support], folder)


def sent_events(binary):
    """The events of an app, in order."""
    lines = run([binary], ".", timeout=60)[0].splitlines()
    return [(event["name"], event["parameters"]) for event in map(json.loads, lines)]


def limit_of_one_file():
    """The time limit per file in seconds; a debug build takes about ten times as long."""
    return 1 if os.environ.get("DUALSEND_CONFIGURATION") == "release" else 10


def command():
    return SourceTool(os.path.abspath(dualsend()))
