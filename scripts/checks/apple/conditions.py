"""Reads the `#if` lines of Swift sources: lists the branches, tells which of them a configuration compiles, and rewrites
the conditions for a compiler on Linux."""

import dataclasses
import functools
import re
import subprocess

DIRECTIVE = re.compile(r"^(\s*)#(if|elseif|else|endif)\b(.*?)(?://.*)?$")
TOKEN = re.compile(r"\s*(\|\||&&|!|\(|\)|[A-Za-z_]\w*(?:\([^()]*\))?)")
# The compiler's own conditions about the target system.
ASKED = re.compile(r"\b(os|canImport|targetEnvironment)\(\s*(\w+)\s*\)")
IMPORT_FOUNDATION = re.compile(
    r"^(\s*(?:@\w+\s+)*(?:(?:public|package|internal|fileprivate|private)\s+)?import\s+"
    r"(?:(?:struct|class|enum|protocol|func|var|let|typealias)\s+)?)Foundation\b"
)


class ConditionError(Exception):
    pass


@functools.cache
def compiler_version():
    words = subprocess.run(["swiftc", "--version"], capture_output=True, text=True, check=True).stdout
    return tuple(map(int, re.search(r"Swift version ([\d.]+)", words)[1].split(".")))


@dataclasses.dataclass(frozen=True)
class Configuration:
    """A system that code is compiled for."""

    name: str
    system: str
    modules: frozenset
    flags: frozenset = frozenset()
    environment: str = ""
    # The configuration whose modules are reused if this one compiles nothing different; None for this machine's build.
    base: "Configuration | None" = None

    def holds(self, atom):
        kind, _, argument = atom.partition("(")
        argument = argument.rstrip(")").strip()
        if kind == "os":
            return argument == self.system
        if kind == "canImport":
            return argument in self.modules
        if kind == "targetEnvironment":
            return argument == self.environment
        if kind in ("compiler", "swift"):
            match = re.fullmatch(r"(>=|<)\s*([\d.]+)", argument)
            if not match:
                raise ConditionError(f"`{atom}` is not a condition that this check knows")
            version = tuple(map(int, match[2].split(".")))
            return (compiler_version() >= version) == (match[1] == ">=")
        if argument:
            raise ConditionError(f"`{atom}` is not a condition that this check knows")
        return atom in self.flags

    def defines(self):
        """The flags for this configuration in rewritten sources."""
        modules = [f"IF_canImport_{module}" for module in self.modules]
        environment = [f"IF_targetEnvironment_{self.environment}"] if self.environment else []
        return sorted([f"IF_os_{self.system}", *modules, *environment, *self.flags])


@dataclasses.dataclass(frozen=True)
class Branch:
    line: int
    text: str
    # The conditions of the branch: its own, the enclosing ones, and the negations of the previous ones.
    conditions: tuple

    def is_compiled(self, configuration):
        return all(evaluate(condition, configuration) for condition in self.conditions)


def parse(text):
    """A condition as nested tuples; `||` binds weaker than `&&`, as in Swift."""
    tokens, place = [], 0
    text = text.strip()
    while place < len(text):
        match = TOKEN.match(text, place)
        if not match:
            raise ConditionError(f"cannot read the condition `{text}`")
        tokens.append(match[1])
        place = match.end()

    def alternatives():
        parts = [conjunction()]
        while tokens and tokens[0] == "||":
            tokens.pop(0)
            parts.append(conjunction())
        return ("or", *parts)

    def conjunction():
        parts = [term()]
        while tokens and tokens[0] == "&&":
            tokens.pop(0)
            parts.append(term())
        return ("and", *parts)

    def term():
        token = tokens.pop(0) if tokens else ""
        if token == "!":
            return ("not", term())
        if token == "(":
            inner = alternatives()
            if not tokens or tokens.pop(0) != ")":
                raise ConditionError(f"a parenthesis is open in `{text}`")
            return inner
        if not re.match(r"[A-Za-z_]", token):
            raise ConditionError(f"cannot read the condition `{text}`")
        return ("atom", token)

    result = alternatives()
    if tokens:
        raise ConditionError(f"cannot read the condition `{text}`")
    return result


def evaluate(condition, configuration):
    kind, *parts = condition
    if kind == "or":
        return any(evaluate(part, configuration) for part in parts)
    if kind == "and":
        return all(evaluate(part, configuration) for part in parts)
    if kind == "not":
        return not evaluate(parts[0], configuration)
    return configuration.holds(parts[0])


def directives(text):
    """The `#` lines that are code: (number from 1, keyword, condition), without those in comments and in texts."""
    state, depth = "code", 0
    for number, line in enumerate(text.split("\n"), 1):
        if state == "code":
            match = DIRECTIVE.match(line)
            if match:
                yield number, match[2], match[3].strip()
                continue
        place = 0
        while place < len(line):
            rest = line[place:]
            if state == "comment":
                if rest.startswith("*/"):
                    depth -= 1
                    place += 1
                    state = "comment" if depth else "code"
                elif rest.startswith("/*"):
                    depth += 1
                    place += 1
            elif state == "lines":
                if rest.startswith("\\"):
                    place += 1
                elif rest.startswith('"""'):
                    place += 2
                    state = "code"
            elif state == "text":
                if rest.startswith("\\"):
                    place += 1
                elif rest.startswith('"'):
                    state = "code"
            elif rest.startswith("//"):
                break
            elif rest.startswith("/*"):
                state, depth = "comment", 1
                place += 1
            elif rest.startswith('"""'):
                state = "lines"
                place += 2
            elif rest.startswith('"'):
                state = "text"
            place += 1
        if state == "text":
            state = "code"


def branches(text):
    found = []
    # For each open block: the conditions of its branches so far, and all conditions of the current branch.
    blocks = []
    for number, keyword, condition in directives(text):
        if keyword == "if":
            blocks.append([(), ()])
        elif not blocks:
            raise ConditionError(f"line {number}: #{keyword} without #if")
        if keyword == "endif":
            blocks.pop()
            continue
        earlier, _ = blocks[-1]
        own = parse(condition) if keyword != "else" else ("and",)
        around = blocks[-2][1] if len(blocks) > 1 else ()
        conditions = (*around, *(("not", other) for other in earlier), own)
        blocks[-1] = [(*earlier, own), conditions]
        found.append(Branch(number, f"#{keyword} {condition}".strip(), conditions))
    if blocks:
        raise ConditionError("#if without #endif")
    return found


def rewrite(text, foundation):
    """The source rewritten line by line for a compiler on Linux: conditions about the system become flags, and Foundation
    is replaced by another module."""
    lines = text.split("\n")
    for number, keyword, _ in directives(text):
        if keyword in ("if", "elseif"):
            lines[number - 1] = ASKED.sub(r"IF_\1_\2", lines[number - 1])
    if foundation:
        lines = [IMPORT_FOUNDATION.sub(rf"\g<1>{foundation}", line) for line in lines]
    return "\n".join(lines)
