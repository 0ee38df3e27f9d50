"""Refuses what a Mac's own bash 3.2, sed and Python 3.9 do not have, in the scripts that people run.

Reads scripts/ and Examples/; .ci runs in a container of Linux. Each rule shows a line that it refuses, and the check fails if
the rule lets that line pass.

usage: scripts/check portable
"""

import ast
import re
import sys

from checkout import ROOT, output

# What is missing, a line with it, and the way out.
SHELL = [
    (r"\b(mapfile|readarray)\b", "mapfile -t lines < file", "bash 3.2 has none: read the lines in a `while` loop"),
    (r"\b(declare|local|typeset) -[a-zA-Z]*[An]", "declare -A found", "bash 3.2 has no associative arrays and references"),
    (r"\$\{\w+(\[[^]]*\])?(,,?|\^\^?)[^}]*\}", "echo ${name,,}", "bash 3.2 changes no case: use tr"),
    (r"\[\[ -v |\|&|&>>|\bwait -n\b|\bcoproc\b|printf '%\(", "[[ -v name ]]", "bash 3.2 does not know this"),
    (r"\bsed\b.* -i\b(?! '')", "sed -i s/a/b/ file", "macOS's sed takes -i's suffix as a word of its own: write another file"),
    (r"\bsed\b[^|]*[^;\s{]\s*\}'", "sed -n '/a/{s/b/c/p}' file", "macOS's sed wants a `;` before `}`"),
    (r"\bsed\b[^|]*(?<!\\)\\[+?|]", r"sed 's/a\+/b/' file", "macOS's sed knows this with -E, without the backslash"),
    (r"\bgrep -[a-zA-Z]*P", "grep -oP x file", "macOS's grep has no -P"),
    (r"\b(date -d|stat -c|xargs -d|sort -V|head -n -|cp -[a-zA-Z]*T|install -D|find [^|]*-printf)\b", "date -d yesterday",
     "GNU's option"),
    (r"(?:^|[\s|;(])(sha256sum|nproc|timeout|flock|tac|shuf|numfmt) ", "sha256sum file", "macOS has no such command"),
]
PYTHON = [
    (r"\bsys\.orig_argv\b", "sys.orig_argv[1:]", "Python 3.10"),
    (r"\bzip\(.*\bstrict=", "zip(a, b, strict=True)", "Python 3.10"),
    (r"\bdataclass\(.*\b(slots|kw_only)=", "@dataclass(slots=True)", "Python 3.10"),
    (r"\bimport tomllib\b|\bfrom itertools import .*\b(pairwise|batched)\b|\bitertools\.(pairwise|batched)\b",
     "import tomllib", "Python 3.10 or later"),
]
EMPTY_ARRAY = re.compile(r"(?:^|[\s;])(\w+)=\(\)")


def shell_faults(text):
    """Line number and fault of each line of a shell script."""
    empty = set(EMPTY_ARRAY.findall(text))
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("#"):
            continue
        for pattern, _, fault in SHELL:
            if re.search(pattern, line):
                yield number, fault
        for name in empty:
            # `set -u` of bash 3.2 stops at an array without elements.
            if re.search(rf'(?<!\+)"\$\{{{name}\[@\]\}}"', line):
                yield number, f'`{name}` may be empty: write ${{{name}[@]+"${{{name}[@]}}"}}'


def python_faults(text):
    try:
        ast.parse(text, feature_version=(3, 9))
    except SyntaxError as error:
        yield error.lineno, f"Python 3.9: {error.msg}"
    for number, line in enumerate(text.splitlines(), 1):
        for pattern, _, fault in PYTHON:
            if re.search(pattern, line.split("  #")[0]):
                yield number, f"not in Python 3.9: {fault}"


def blind_rules():
    """The rules that let their own example pass."""
    yield from (rule[0] for rule in SHELL if not list(shell_faults(rule[1])))
    yield from (rule[0] for rule in PYTHON if not list(python_faults(rule[1])))
    if not list(shell_faults('found=()\nfor one in "${found[@]}"; do :; done')):
        yield EMPTY_ARRAY.pattern
    if not list(python_faults("match x:\n  case 1: pass")):
        yield "ast.parse"


def main():
    faults = [f"error: the rule {rule} finds nothing" for rule in blind_rules()]
    read = 0
    for name in output("git", "ls-files", "--cached", "--others", "--exclude-standard", "--", "scripts", "Examples").split("\n"):
        file = ROOT / name
        if not file.is_file() or file.name == "portable.py":
            continue
        head = file.read_bytes()[:64]
        if file.suffix == ".py" or b"python" in head.split(b"\n")[0]:
            found = python_faults(file.read_text())
        elif file.suffix == ".sh" or head.startswith((b"#!/usr/bin/env bash", b"#!/bin/sh")):
            found = shell_faults(file.read_text())
        else:
            continue
        read += 1
        faults += [f"{name}:{number}: error: {fault}" for number, fault in found]
    print("\n".join([*faults, f"{read} scripts, {len(faults)} findings"]))
    return 1 if faults or not read else 0


sys.exit(main())
