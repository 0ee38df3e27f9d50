"""Compares the imports of every target with its manifest.

A target must declare every module that it imports: SwiftPM accepts a module of an indirect dependency, until the
dependency drops it. A product counts as all modules of its targets. A declared dependency
that nothing imports is reported too, and a system library with `pkgConfig`, whose folders the linker gets for every platform.
Exit status 1 if there are any.
"""

import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from checkout import ROOT, build_folder, swift


# Modules of toolchains and systems.
SYSTEM = set(
    """
    Swift Foundation FoundationEssentials FoundationNetworking FoundationXML Dispatch Testing XCTest Synchronization
    RegexBuilder Observation Distributed _Concurrency _StringProcessing Glibc Musl Bionic Android WinSDK WASILibc Darwin
    os OSLog Network Security CryptoKit SystemConfiguration UIKit AppKit SwiftUI WatchKit TVUIKit MetricKit
    BackgroundTasks Compression SQLite3 zlib ObjectiveC PackageDescription PackagePlugin XcodeProjectPlugin
    """.split()
)

# Linked but not imported, because an imported module needs them: CustomDump reports through the test library.
LINKED_FOR = {"IssueReportingTestSupport": "CustomDump", "CTestWidth": "Testing"}

IMPORT = re.compile(
    r"^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|fileprivate|private)\s+)?import\s+"
    r"(?:(?:struct|class|enum|protocol|func|var|let|typealias|actor)\s+)?([A-Za-z_]\w*)"
)


def module_name(target):
    return re.sub(r"\W", "_", target)


def manifest(folder):
    """The manifest of the package in a folder, as SwiftPM understands it."""
    with tempfile.TemporaryDirectory() as scratch:
        command = ["swift", "package", "--package-path", str(folder), "--scratch-path", scratch, "dump-package"]
        run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(f"error: {' '.join(command)}\n{run.stderr}")
    return json.loads(run.stdout)


def our_packages():
    listing = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", "Package.swift", "*/Package.swift"]
    files = subprocess.run(listing, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    folders = {(ROOT / file).parent for file in files if not file.startswith("Fixtures/")}
    return sorted(folder for folder in folders if (folder / "Package.swift").exists())


def checkouts():
    """The source folder of each dependency, by identity."""
    return {checkout.name.lower(): checkout for checkout in sorted((build_folder() / "checkouts").glob("*"))}


def dependencies(description):
    """The packages that a manifest depends on: the names that a target may use, and a path or an identity."""
    for entry in description["dependencies"]:
        for kind, values in entry.items():
            value = values[0]
            names = {value["identity"].lower(), (value.get("nameForTargetDependencyResolutionOnly") or "").lower()}
            path = pathlib.Path(value["path"]).resolve() if kind == "fileSystem" else None
            if path:
                names.add(path.name.lower())
            yield names - {""}, path, value["identity"].lower()


def products(description):
    """The modules of each product, and the products that are programs."""
    return {
        product["name"]: ({module_name(target) for target in product["targets"]}, "executable" in product["type"])
        for product in description["products"]
    }


def source_folder(folder, target):
    if target.get("path"):
        return folder / target["path"]
    return folder / ("Tests" if target["type"] == "test" else "Sources") / target["name"]


def imports(folder, excluded):
    """The modules that the Swift files below a folder import, each with its first place."""
    found = {}
    skipped = [folder / path for path in excluded]
    for file in sorted(folder.rglob("*.swift")):
        if any(file == path or path in file.parents for path in skipped):
            continue
        text = re.sub(r'"""(.*?)"""', lambda match: "\n" * match[0].count("\n"), file.read_text(), flags=re.DOTALL)
        for number, line in enumerate(text.splitlines(), 1):
            match = IMPORT.match(line)
            if match:
                found.setdefault(match[1], f"{file.relative_to(ROOT)}:{number}")
    return found


def check(folder, description, resolve):
    """The undeclared imports and the unused dependencies of one package, as lines."""
    undeclared, unused = [], []
    place = (folder / "Package.swift").relative_to(ROOT)
    packages = list(dependencies(description))
    used_packages = set()
    kinds = {target["name"]: target["type"] for target in description["targets"]}

    def modules(dependency):
        """The name of a target's dependency, its modules, and whether it is a program, which cannot be imported."""
        kind, value = next((kind, value) for kind, value in dependency.items() if kind != "condition")
        name = value[0]
        if kind == "target" or kind == "byName" and name in kinds:
            return name, {module_name(name)}, kinds.get(name) in ("executable", "plugin", "macro")
        package = (value[1] if kind == "product" and value[1] else name).lower()
        for names, path, identity in packages:
            if package in names:
                used_packages.add(identity)
                return name, *products(resolve(path, identity)).get(name, (set(), False))
        return name, {name}, False

    for target in description["targets"]:
        if target.get("pkgConfig"):
            undeclared.append(f"{place}: `{target['name']}` has `pkgConfig`: Homebrew's folder would reach every platform")
        sources = source_folder(folder, target)
        if not sources.is_dir():
            sys.exit(f"error: {place}: the sources of {target['name']} are not in {sources.relative_to(ROOT)}")
        found = imports(sources, target.get("exclude", []))
        declared = set()
        for name, names, is_program in map(modules, target["dependencies"]):
            declared |= names
            if not is_program and not names & found.keys() and LINKED_FOR.get(name) not in found:
                unused.append(f"{place}: `{target['name']}` declares `{name}`, which it does not import")
        for module in sorted(found.keys() - declared - SYSTEM - {module_name(target["name"])}):
            undeclared.append(f"{found[module]}: `{target['name']}` imports `{module}`, which it does not declare")
    for _, _, identity in packages:
        if identity not in used_packages:
            unused.append(f"{place}: no target uses the package `{identity}`")
    return undeclared, unused


def main():
    ours = our_packages()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        manifests = dict(zip(ours, pool.map(manifest, ours)))
        places = checkouts()
        for folder, description in manifests.items():
            if any(path is None and identity not in places for _, path, identity in dependencies(description)):
                subprocess.run(swift("package", folder.relative_to(ROOT), "resolve"), check=True, stdout=sys.stderr)
                places = checkouts() | places
        places = checkouts()
        identities = {
            identity for description in manifests.values() for _, path, identity in dependencies(description) if not path
        }
        wanted = [places[identity] for identity in sorted(identities)]
        manifests |= zip(wanted, pool.map(manifest, wanted))

    undeclared, unused = [], []
    for folder in ours:
        faults = check(folder, manifests[folder], lambda path, identity: manifests[path or places[identity]])
        undeclared += faults[0]
        unused += faults[1]
    for line in undeclared + unused:
        print(f"error: {line}", file=sys.stderr)
    targets = sum(len(manifests[folder]["targets"]) for folder in ours)
    print(f"{targets} targets, {len(undeclared)} undeclared imports, {len(unused)} unused dependencies")
    return 1 if undeclared or unused else 0


if __name__ == "__main__":
    sys.exit(main())
