"""Runs the library's arithmetic where `Int` has 32 bits, as on a watch (arm64_32).

The toolchain has the standard library of Embedded Swift for i686, whose programs run on any Linux of x86-64. It compiles copies of
the sources below, after a few changes to what Embedded Swift does not have: key paths, `Any`, Foundation. The program
answers the cases of Fixtures/conformance and of thirty_two_bit_cases.py. A change that does not apply any more is an error.

Exit status 1, and the case, if an answer is wrong or a calculation traps.
"""

import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

if __name__ == "__main__":
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "lib"))

from checkout import ROOT, build_folder, debian_packages

from thirty_two_bit_cases import write_cases

SCRATCH = build_folder() / "apple" / "32-bits"
THIS = pathlib.Path(__file__).resolve()
PARTS = THIS.parent / "ThirtyTwoBits"
TARGET = "i686-unknown-none-elf"

# Modules, in steps that are compiled one after the other, with patterns below Sources. One that starts with `-` leaves files out.
STEPS = [
    {
        "DualSendCore": """
            Diagnostics/*.swift HTTP/EventStreamParser.swift HTTP/RetryAfter.swift JSON/*.swift Random/*.swift
            Time/RetryBackoff.swift Time/TimeSource.swift Values/*.swift
            -Values/DeviceFacts.swift -Values/EventValueConverter.swift -Values/LegacyEvent.swift
        """,
    },
    {
        "DualSendRemapping": "*.swift -RemappingTableLiteral.swift",
        "DualSendRollout": "Bucketing/*.swift Decision/*.swift Document/*.swift",
    },
    {
        "DualSendTables": "*.swift",
        "DualSendTracking": """
            Store/AgeClock.swift Store/BodyChecksum.swift Store/EventRun.swift Store/RowStatement.swift
            Store/StoreSchema.swift Store/TrackingData.swift Store/UncountedEvents.swift Store/WriteAheadLog.swift
        """,
    },
]
SUITE = ["decision", "inverse", "reading", "remapping"]

KEY_PATH = re.compile(r"(?<=[(,:] )\\((?:\.\w+)+)|(?<=\()\\((?:\.\w+)+)")


class Failure(Exception):
    pass


def without(start, end=r"^  }\n"):
    """Removes the lines from one that matches to the next that matches."""
    return (rf"{start}.*\n(?:.*\n)*?{end}", "")


def only(start, end=r"^}\n"):
    """Keeps the lines from one that matches to the next that matches."""
    return (rf"\A(?:.*\n)*?({start}.*\n(?:.*\n)*?{end})(?:.*\n)*\Z", r"\1")


# What Embedded Swift does not compile, or what needs a file that is left out, by the end of the file's path. Each pattern
# must match once.
CHANGES = {
    "JSON/CanonicalJSONWriter.swift": [without(r"^  (?:public|package) mutating func object\(_ payload: \[String: any Sendable\]")],
    "Time/TimeSource.swift": [only(r"^extension Duration \{")],
    "Values/EventValue.swift": [
        (r"plainValue: Any \{", "plainValue: PlainValue {"),
        # In the body of `plainValue`, which alone begins with `NSNull()`.
        (r"    case \.null: NSNull\(\)\n(?:    case .*\n)+", lambda found: wrapped(found[0])),
    ],
    "Store/EventRun.swift": [(r"^private struct BlobCursor", "struct BlobCursor")],
    "Store/RowStatement.swift": [
        only(r"^extension EventID \{"),
        (r"^  (?:package )?var blob: Data .*\n", ""),
        without(r"^  package init\?\(stored bytes: Data\)"),
        (r"\A", "import DualSendCore\n"),
    ],
    "Store/StoreSchema.swift": [
        only(r"^  (?:package )?static let range\b.*0\.\.\..*", ""),
        (r"\A(.*\n)(?:.*\n)*\Z", r"enum LedgerCounter {\n\1}\n"),
    ],
    "Store/UncountedEvents.swift": [only(r"^(?:package )?struct UncountedEvents \{")],
    "Store/WriteAheadLog.swift": [
        without(r"^  (?:package )?static func isDamaged\(of database: URL\)"),
        (r"^import Foundation\n", ""),
    ],
    "ConformanceCase.swift": [without(r"^  /// The question as one line of JSON")],
}


def wrapped(cases):
    cases = re.sub(r"(case [^:]+:) (.+)", r"\1 PlainValue(\2)", cases)
    return cases.replace(" ?? ", " ??? ")


def sources(module, patterns):
    files = set()
    for pattern in patterns.split():
        found = set((ROOT / "Sources" / module).glob(pattern.lstrip("-")))
        if not found:
            raise Failure(f"{module} has no file {pattern.lstrip('-')}; adapt STEPS in {THIS.name}")
        files = files - found if pattern.startswith("-") else files | found
    return sorted(files)


def stand_ins(module):
    return [file for file in (PARTS / "Dictionary.swift", PARTS / f"{module}.swift") if file.exists()]


def changed(file):
    """The text of a source as it is compiled."""
    text = file.read_text()
    for path, changes in CHANGES.items():
        if str(file).endswith("/" + path):
            for pattern, replacement in changes:
                text, count = re.subn(pattern, replacement, text, flags=re.MULTILINE)
                if count != 1:
                    raise Failure(
                        f"{file.relative_to(ROOT)} has {count} places of the form {pattern!r};"
                        f" adapt CHANGES in {THIS.name}"
                    )
    return KEY_PATH.sub(lambda found: "{ $0" + (found[1] or found[2]) + " }", text)


def command(*words):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True)
    if done.returncode != 0:
        raise Failure(f"{' '.join(map(str, words))}\n{done.stdout}{done.stderr}")
    return done.stdout


def compile_module(name, files):
    """Compiles a module; returns its object."""
    folder = SCRATCH / name
    folder.mkdir()
    copies = []
    for file in files:
        copies.append(folder / file.name)
        copies[-1].write_text(changed(file))
    command(
        *["swiftc", "-target", TARGET, "-wmo", "-parse-as-library", "-Onone", "-package-name", "dualsend"],
        *["-enable-experimental-feature", "Embedded", "-enable-experimental-feature", "Extern"],
        *["-swift-version", "6", "-enable-upcoming-feature", "ExistentialAny"],
        *["-enable-upcoming-feature", "InternalImportsByDefault", "-enable-upcoming-feature", "MemberImportVisibility"],
        # The program has no stack guard; it has the arithmetic of SSE2, as doubles have elsewhere.
        *["-Xfrontend", "-disable-stack-protector", "-Xcc", "-march=pentium4", "-enable-testing", "-suppress-warnings"],
        *["-module-name", name, "-I", SCRATCH, "-emit-module-path", SCRATCH / f"{name}.swiftmodule"],
        *["-c", "-o", SCRATCH / f"{name}.o", *copies],
    )
    return SCRATCH / f"{name}.o"


def can_link():
    probe = SCRATCH / "probe.c"
    probe.write_text("int main(void) { return 0; }\n")
    gcc = ["gcc", "-m32", "-include", "stdio.h", "-o", str(SCRATCH / "probe"), str(probe)]
    return shutil.which("gcc") and subprocess.run(gcc, capture_output=True).returncode == 0


def build():
    """Builds the program that answers the cases; returns its path."""
    shutil.rmtree(SCRATCH, ignore_errors=True)
    SCRATCH.mkdir(parents=True)
    if not can_link():
        debian_packages("gcc", "gcc-multilib", "libc6-dev-i386")
    case = ROOT / "Tests" / "DualSendConformance" / "ConformanceCase.swift"
    objects = [compile_module("Foundation", [PARTS / "Foundation.swift"])]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for modules in STEPS:
            files = [[*sources(*item), *stand_ins(item[0])] for item in modules.items()]
            objects += pool.map(compile_module, modules, files)
    objects.append(compile_module("Cases", [PARTS / "Answers.swift", PARTS / "Program.swift", case]))
    toolchain = pathlib.Path(json.loads(command("swiftc", "-print-target-info"))["paths"]["runtimeResourcePath"])
    tables = toolchain / "embedded" / TARGET / "libswiftUnicodeDataTables.a"
    program = SCRATCH / "cases"
    command("gcc", "-m32", "-no-pie", "-o", program, PARTS / "program.c", *objects, tables, "-lm")
    return program


def run():
    """Builds and runs the cases. Returns whether all are right, and prints those that are not."""
    try:
        program = build()
    except Failure as failure:
        print(f"error: {failure}", file=sys.stderr)
        return False
    folder = SCRATCH / "files"
    folder.mkdir()
    suite = [file for kind in SUITE for file in sorted((ROOT / "Fixtures" / "conformance" / kind).glob("*.json"))]
    files = [*suite, *write_cases(folder)]
    done = subprocess.run(["timeout", "300", program, *files], capture_output=True, text=True, errors="replace")
    lines = done.stdout.splitlines()
    counts = [line.split()[1:] for line in lines if line.startswith("= ")]
    failures = [line for line in lines if not line.startswith(("? ", "= "))]
    for line in failures[:20]:
        print(f"error: 32 bits: {line}", file=sys.stderr)
    if failures[20:]:
        print(f"error: 32 bits: and {len(failures) - 20} more differences", file=sys.stderr)
    if done.returncode != 0 and not counts:
        last = next((line for line in reversed(lines) if line.startswith("? ")), "? no case")
        print(f"error: 32 bits: ended with {done.returncode} in {last[2:][:1000]}\n{done.stderr}", end="", file=sys.stderr)
    if done.returncode != 0:
        return False
    total = sum(int(count) for _, count in counts)
    kinds = ", ".join(f"{count} {kind}" for kind, count in counts)
    print(f"32 bits: {total} cases of {len(counts)} kinds ran where Int has 32 bits ({kinds})")
    return True


if __name__ == "__main__":
    sys.exit(0 if run() else 1)
