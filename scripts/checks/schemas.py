"""Compares the published schemas with `dualsend validate`, on every fixture document.

usage: scripts/check schemas

Every fixture document goes through an independent validator (Python's jsonschema) and through `dualsend validate`; both must
say what the folder of the document says. DUALSEND names a built `dualsend`; without it one is built.
"""

import json
import pathlib
import subprocess
import sys

from checkout import dualsend, need

need("jsonschema", "jsonschema>=4.18,<5")

from jsonschema import Draft202012Validator  # noqa: E402

FIXTURES = pathlib.Path("Fixtures")

KINDS = ("rollout", "remapping", "normalisation", "specification", "guard")

# Faults that no schema can express: text that is not JSON, rows of a remapping table that contradict one
# another, and names of a specification that become one Swift identifier.
BEYOND_SCHEMA = {
    "rollout": set(),
    "remapping": {"DS0001", "DS0007", "DS0102", "DS0103", "DS0104", "DS0105", "DS0108", "DS0113"},
    "normalisation": {"DS0001"},
    "specification": {"DS0001", "DS0007", "DS0310", "DS0311"},
    "guard": {"DS0001"},
}


def validator(kind):
    schema = json.loads((FIXTURES / "schemas" / f"{kind}.schema.json").read_text())
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def documents():
    """Every document: its file, its kind, whether it is valid, and whether its fault is beyond a schema."""
    for kind in KINDS:
        for folder in ("valid", "warned"):
            yield from ((file, kind, True, False) for file in (FIXTURES / kind / folder).rglob("*.json"))
        for file in (FIXTURES / kind / "invalid").rglob("*.json"):
            code = file.name.split("-")[0]
            beyond = file.parent.name == "beyond-schema" or code in BEYOND_SCHEMA[kind]
            yield file, kind, False, beyond
    for name in ("shop", "hostile"):
        yield FIXTURES / "specification" / f"{name}.json", "specification", True, False
    for file in (FIXTURES / "legacy").glob("*.json"):
        yield file, "remapping" if file.name.startswith("remapping") else "rollout", True, False


def schema_accepts(schemas, file, kind):
    try:
        return schemas[kind].is_valid(json.loads(file.read_text()))
    except json.JSONDecodeError:
        return None


def refused_by_dualsend(files):
    run = subprocess.run([dualsend(), "validate", "--format", "json", *files], capture_output=True, text=True)
    if run.returncode not in (0, 1):
        sys.exit(f"error: dualsend validate ended with {run.returncode}: {run.stderr}")
    findings = json.loads(run.stdout)["findings"]
    return {finding["file"] for finding in findings if finding["severity"] == "error"}


def main():
    schemas = {kind: validator(kind) for kind in KINDS}
    found = sorted(documents())
    refused = refused_by_dualsend([str(file) for file, *_ in found])
    counts = {"accepted": 0, "refused": 0, "semantic": 0}
    wrong = []
    semantic = []
    for file, kind, is_valid, is_beyond in found:
        accepted = schema_accepts(schemas, file, kind)
        if is_valid == (str(file) in refused):
            wrong.append(f"{file}: dualsend validate {'refuses' if is_valid else 'accepts'} it")
        if is_valid and not accepted:
            wrong.append(f"{file}: the schema refuses it")
        elif not is_valid and not is_beyond and accepted is not False:
            wrong.append(f"{file}: the schema does not refuse it")
        elif not is_valid and accepted is not False:
            counts["semantic"] += 1
            schema_says = "not JSON" if accepted is None else "accepted"
            tool_says = "refused" if str(file) in refused else "accepted"
            semantic.append((str(file.relative_to(FIXTURES)), schema_says, tool_says))
        else:
            counts["accepted" if is_valid else "refused"] += 1

    semantic.insert(0, ("semantic: beyond a schema", "schema", "dualsend validate"))
    width = max(len(name) for name, *_ in semantic)
    for name, schema_says, tool_says in semantic:
        print(f"{name:{width}}  {schema_says:8}  {tool_says}")
    print()
    for line in wrong:
        print(f"error: {line}", file=sys.stderr)
    print(
        f"{len(found)} documents: {counts['accepted']} accepted by both, {counts['refused']} refused by both, "
        f"{counts['semantic']} refused by dualsend validate only, {len(wrong)} wrong"
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
