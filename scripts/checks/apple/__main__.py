"""Compiles the branches that Linux leaves out, and runs the tests of the code for iOS.

Every branch behind `canImport`, `os` and the like is compiled for each system that the package runs
on, against the stand-ins for Apple's frameworks in AppleStubs; then runs the tests in AppleStubs/Tests on the code for iOS.

The sources are compiled as they are, in copies whose `#if` lines ask for flags instead of the system, in Swift 6 mode, with
the upcoming features of the manifests and with warnings as errors. Every target of Sources is compiled for every system;
elsewhere (Examples, Plugins, Sources/Tools, Tests) the files with branches that Linux does not compile.

Then type-checks the library for the oldest systems, with the compiler's own availability (availability.py), and runs its
arithmetic where `Int` has 32 bits (thirty_two_bits.py).

Prints each branch and where it was compiled. Exit status 1 if anything does not compile, a branch was compiled nowhere, or a
test failed. Arguments name the systems to compile for; by default all. Others' packages are those of
scripts/lib/swift.sh, which builds them if they are not built yet.
"""

import concurrent.futures
import dataclasses
import os
import re
import subprocess
import sys

from checkout import ROOT

import availability
import thirty_two_bits
from compiler import LIBRARY, SCRATCH, STUBS, AvailabilityCompiler, Compiler, Failure, Package, Target, output_of, toolchain
from conditions import Configuration

ARTICLE = ROOT / "Tests" / "README.md"

COMMON = frozenset("CryptoKit Darwin Network Security SwiftUI os".split())
LINUX = Configuration("Linux", "Linux", frozenset({"FoundationNetworking", "Glibc"}), frozenset({"SwiftCrypto"}))


def apple(system, *modules):
    return Configuration(system, system, COMMON | frozenset(modules), frozenset({"SwiftCrypto"}))


def variant(base, name, **changes):
    return dataclasses.replace(base, name=name, base=base, **changes)


IOS = apple("iOS", "MetricKit", "UIKit")
MACOS = apple("macOS", "MetricKit", "XcodeProjectPlugin")
APPLE = [IOS, MACOS, apple("tvOS", "UIKit"), apple("watchOS", "UIKit"), apple("visionOS", "MetricKit", "UIKit")]
MUSL = variant(LINUX, "Linux with Musl", modules=LINUX.modules - {"Glibc"} | {"Musl"})
VARIANTS = [
    variant(IOS, "iOS simulator", environment="simulator"),
    variant(LINUX, "Linux without SwiftCrypto", flags=frozenset()),
    variant(LINUX, "Linux with ThreadSanitizer", flags=LINUX.flags | {"SANITIZE_THREAD"}),
    MUSL,
]


class Check:
    def __init__(self):
        folders = [ROOT]
        for name in output_of("git", "ls-files", "--", "*/Package.swift").split():
            folder = (ROOT / name).parent
            if folder != STUBS and not name.startswith("Fixtures/"):
                folders.append(folder)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            self.stubs, *self.packages = pool.map(Package, [STUBS, *folders])
        self.packages[0].build_once("NIOCore")
        self.compilers = {
            configuration: Compiler(configuration, self.packages, self.stubs) for configuration in [*APPLE, *VARIANTS]
        }
        self.failures = []
        self.failed = set()

    @property
    def library(self):
        """The code that adopters compile."""
        return [target for target in self.packages[0].targets.values() if is_linked(target)]

    def in_parallel(self, action, items):
        def attempt(item):
            try:
                action(item)
            except Failure as failure:
                self.failures.append(str(failure))
                self.failed.add(item)

        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(attempt, items))

    def build_library(self, configuration):
        compiler = self.compilers[configuration]
        compiler.build_stubs(keep_objects=configuration is IOS)
        for target in self.library:
            if configuration in APPLE or target.differs(configuration, configuration.base):
                compiler.build(target, keep_objects=configuration is IOS)

    def check_availability(self, configuration):
        """The library on the oldest systems that it is for."""
        # The plugin runs on a developer's Mac, and its interface is no module of the system.
        modules = configuration.modules - {"XcodeProjectPlugin"}
        configuration = dataclasses.replace(configuration, name=f"{configuration.name}, oldest systems", modules=modules)
        apple = availability.AppleToolchain(toolchain(), self.packages[0].built_modules, SCRATCH / f"{configuration.name}-toolchain".replace(" ", "-"))
        compiler = AvailabilityCompiler(configuration, self.packages, self.stubs, apple)
        compiler.build_stubs()
        for target in self.library:
            compiler.build(target)
        compiler.prove()
        faults = compiler.faults + availability.wide_shifts(file for target in self.library for file in target.files)
        if configuration.system == "macOS":
            faults += self.tools_faults(compiler)
        if faults:
            raise Failure("on the oldest systems:\n" + "\n".join(faults))
        print(f"{configuration.name}: {len(compiler.checked)} modules checked with @available: {', '.join(compiler.checked)}")

    def tools_faults(self, compiler):
        """What the tools call that macOS 13 does not have. They run where `Int` has 64 bits."""
        compiler.faults, compiler.narrow = [], None
        for target in self.packages[0].targets.values():
            if is_tool(target) and target.kind == "regular":
                compiler.build(target)
        return compiler.faults

    def check_elsewhere(self, configuration):
        """Branches of other targets that Linux does not compile."""
        compiler = self.compilers[configuration]
        for package in self.packages:
            for target in package.targets.values():
                if is_linked(target):
                    continue
                if configuration not in configurations_of(target):
                    continue
                files = [
                    file
                    for file, here in target.branches.items()
                    if any(b.is_compiled(configuration) and not b.is_compiled(LINUX) for b in here)
                ]
                if files:
                    compiler.check(target, files)

    def report(self):
        """Prints every branch and its configurations; returns the number of branches that were not compiled."""
        missing = total = 0
        targets = [target for package in self.packages for target in package.targets.values() if not is_exempt(target)]
        for file, here in sorted((file, here) for target in targets for file, here in target.branches.items()):
            for branch in here:
                names = ["Linux"] if branch.is_compiled(LINUX) else []
                for configuration, compiler in self.compilers.items():
                    if file in compiler.compiled and branch.is_compiled(configuration):
                        names.append(configuration.name)
                total += 1
                missing += not names
                where = ", ".join(names) or "NOWHERE"
                print(f"{file.relative_to(ROOT)}:{branch.line}: {branch.text}: {where}")
        print(f"{total} branches, {missing} compiled nowhere")
        return missing

    def check_article(self):
        """Compares the article's list of code for Apple's systems with the sources."""
        files = {
            file.name
            for target in self.library
            for file, here in target.branches.items()
            if any(not b.is_compiled(LINUX) and any(b.is_compiled(one) for one in APPLE) for b in here)
        }
        named = set(re.findall(r"`([\w+]+\.swift)`", ARTICLE.read_text()))
        differences = [f"does not name {name}" for name in sorted(files - named)]
        differences += [f"names {name}, which has no code for Apple's systems alone" for name in sorted(named - files)]
        if differences:
            raise Failure("".join(f"{ARTICLE.relative_to(ROOT)} {difference}\n" for difference in differences))

    def test(self):
        """Runs AppleStubs/Tests on the code for iOS."""
        compiler = self.compilers[IOS]
        tests = Target(self.stubs, TESTS)
        program = str(compiler.folder / "tests")
        command = ["swiftc", "-Onone", "-o", program, *compiler.flags(tests), "-package-name", self.packages[0].name]
        command += [compiler.copy(file) for file in tests.files]
        command += compiler.objects + self.linked_objects() + ["-lstdc++", "-Xlinker", "-rpath", "-Xlinker", str(toolchain() / "linux")]
        compiler.run(command)
        if subprocess.run([program, "--testing-library", "swift-testing"], cwd=ROOT).returncode != 0:
            raise Failure("the tests on the code for iOS failed")

    def linked_objects(self):
        """The build products of the library's dependencies."""
        built = self.packages[0].built_modules.parent
        folders = (built / f"{name}.build" for name in LINKED)
        return [str(file) for folder in folders for file in sorted(folder.rglob("*.o"))]


# Modules of the library's dependencies, direct and indirect.
LINKED = """
    CCryptoBoringSSL CCryptoBoringSSLShims CXKCP CXKCPShims CoreMetrics Crypto CryptoBoringWrapper GRDB Logging Metrics
""".split()
TESTS = {
    "name": "AppleStubsTests",
    "type": "test",
    "dependencies": [],
    "settings": [{"kind": {"enableUpcomingFeature": {"_0": "ExistentialAny"}}}],
}


def is_linked(target):
    """Whether the target is code that adopters compile."""
    return target.kind in LIBRARY and target.folder.parent == ROOT / "Sources"


def is_tool(target):
    """Whether the target is a program, or a part of one, that people run on a Mac or on Linux."""
    return ROOT / "Sources" / "Tools" in target.folder.parents


def configurations_of(target):
    """The systems for which the branches of a target outside the library matter."""
    if target.package.folder != ROOT:
        return APPLE if target.package.folder.name == "Examples" else []
    if is_exempt(target):
        return []
    return [MACOS, MUSL] if is_tool(target) else [MACOS] if target.kind == "plugin" else [IOS]


def is_exempt(target):
    """Whether a target's branches for other systems may stay unchecked: programs that measure, and tests that need a server
    or a small disk, run on Linux; the sources of Examples are checked with their own package."""
    if target.package.folder != ROOT:
        return target.package.folder.name != "Examples"
    place = target.folder.relative_to(ROOT).parts
    return place[0] in ("Benchmarks", "Examples", "Fuzz") or place[:2] == ("Tests", "Tools")


def main():
    check = Check()
    asked = set(sys.argv[1:])
    for group in (APPLE, VARIANTS):
        check.in_parallel(check.build_library, [one for one in group if not asked or one.name in asked])
    check.in_parallel(check.check_elsewhere, [one for one in (*APPLE, MUSL) if one not in check.failed and (not asked or one.name in asked)])
    check.in_parallel(check.check_availability, [one for one in (IOS, MACOS) if not asked or one.name in asked])
    runs_narrow = bool(asked) or thirty_two_bits.run()
    missing = check.report() if not asked else 0
    check.in_parallel(Check.check_article, [check])
    if IOS not in check.failed and (not asked or IOS.name in asked):
        check.in_parallel(lambda _: check.test(), [None])
    for failure in check.failures:
        print(f"error: {failure}", file=sys.stderr)
    return 1 if check.failures or missing or not runs_narrow else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failure as failure:
        sys.exit(f"error: {failure}")
