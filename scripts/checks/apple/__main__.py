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
import functools
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

from checkout import ROOT, build_folder, swift

import availability
import thirty_two_bits
from conditions import ConditionError, Configuration, branches, rewrite

STUBS = ROOT / "AppleStubs"
SCRATCH = build_folder() / "apple"
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


class Failure(Exception):
    pass


def output_of(*command, folder=ROOT):
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if run.returncode != 0:
        raise Failure(f"{' '.join(command)}\n{run.stdout}{run.stderr}")
    return run.stdout


@functools.cache
def toolchain():
    """The folders of the compiler's plugins and of the package plugin API."""
    paths = json.loads(output_of("swiftc", "-print-target-info"))["paths"]
    return pathlib.Path(paths["runtimeResourcePath"])


class Target:
    def __init__(self, package, description):
        self.package = package
        self.name = description["name"]
        self.kind = description["type"]
        default = {"test": "Tests", "plugin": "Plugins"}.get(self.kind, "Sources") + "/" + self.name
        self.folder = package.folder / (description.get("path") or default)
        excluded = [self.folder / path for path in description.get("exclude", [])]
        self.files = [
            file for file in sorted(self.folder.rglob("*.swift")) if not any(path in file.parents for path in excluded)
        ]
        # Targets by name, of this package and of others, without those that only Linux links.
        self.dependencies = []
        for dependency in description["dependencies"]:
            _, value = next((kind, value) for kind, value in dependency.items())
            self.dependencies.append(value[0])
        self.flags = []
        language = "6"
        for setting in description.get("settings", []):
            for kind, value in setting["kind"].items():
                if kind == "swiftLanguageMode":
                    language = value["_0"]
                elif kind == "enableUpcomingFeature":
                    self.flags += ["-enable-upcoming-feature", value["_0"]]
                elif setting["tool"] == "swift":
                    raise Failure(f"{self.name} has a setting that this check does not know: {kind}")
        self.flags += ["-swift-version", language]

    @functools.cached_property
    def branches(self):
        """The conditional branches of each file that has any."""
        found = {}
        for file in self.files:
            try:
                here = branches(file.read_text())
            except ConditionError as error:
                raise Failure(f"{file.relative_to(ROOT)}: {error}") from error
            if here:
                found[file] = here
        return found

    def differs(self, one, other):
        """Whether two configurations compile different code of this target."""
        return any(
            branch.is_compiled(one) != branch.is_compiled(other) for here in self.branches.values() for branch in here
        )


class Package:
    def __init__(self, folder):
        self.folder = folder
        description = json.loads(output_of("swift", "package", "--package-path", str(folder), "dump-package"))
        self.name = description["name"]
        self.tools_version = description["toolsVersion"]["_version"]
        targets = [Target(self, target) for target in description["targets"] if target["type"] != "system"]
        self.targets = {target.name: target for target in targets}
        self.products = {product["name"]: product["targets"] for product in description["products"]}

    @functools.cached_property
    def built_modules(self):
        return build_folder() / "debug" / "Modules"

    def build_once(self, module):
        """Builds the dependencies with SwiftPM, unless they are built already."""
        if not (self.built_modules / f"{module}.swiftmodule").exists():
            output_of(*swift("build", self.folder.relative_to(ROOT), "--build-tests"))

    @functools.cached_property
    def c_modules(self):
        """The C modules of this package and of those that it resolves, by name."""
        found = {}
        checkouts = build_folder() / "checkouts"
        places = [*self.folder.glob("Sources/*"), *checkouts.glob("*/*"), *checkouts.glob("*/Sources/*")]
        for place in sorted(places):
            for map_file in (place / "module.modulemap", place / "include" / "module.modulemap"):
                name = re.search(r"\bmodule (\w+)", map_file.read_text()) if map_file.exists() else None
                if name:
                    found[name[1]] = ["-Xcc", f"-fmodule-map-file={map_file}", "-Xcc", f"-I{map_file.parent}"]
        return found


class Compiler:
    """Compiles for one configuration."""

    strictness = ["-warnings-as-errors"]

    def __init__(self, configuration, packages, stubs):
        self.configuration = configuration
        self.packages = packages
        self.stubs = stubs
        self.folder = SCRATCH / configuration.name.replace(" ", "-")
        self.modules = self.folder / "modules"
        self.is_apple = configuration.system != "Linux"
        self.compiled = set()
        self.objects = []
        self.done = set()
        shutil.rmtree(self.folder, ignore_errors=True)
        self.modules.mkdir(parents=True)

    def copy(self, file):
        target = self.folder / file.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        is_stub = STUBS in file.parents
        target.write_text(rewrite(file.read_text(), "AppleFoundation" if self.is_apple and not is_stub else None))
        return str(target)

    def flags(self, target):
        result = ["-module-name", target.name, "-package-name", target.package.name, *target.flags]
        result += [f"-D{flag}" for flag in self.configuration.defines()]
        result += ["-I", str(self.modules)]
        if self.configuration.base and self.configuration.base.system != "Linux":
            result += ["-I", str(SCRATCH / self.configuration.base.name.replace(" ", "-") / "modules")]
        if target.kind == "plugin":
            result += ["-I", str(toolchain() / "pm" / "PluginAPI")]
            result += ["-package-description-version", target.package.tools_version]
        if target.package is self.stubs:
            result += ["-I", str(toolchain() / "pm" / "PluginAPI")]
            packages = [self.packages[0]]
        else:
            result += self.strictness
            packages = list(dict.fromkeys((target.package, self.packages[0])))
        c_modules = {}
        for package in packages:
            result += self.dependencies(package)
            c_modules = {**package.c_modules, **c_modules}
        result += [flag for flags in c_modules.values() for flag in flags]
        if not any(file.name == "main.swift" for file in target.files):
            result += ["-parse-as-library"]
        return result

    def dependencies(self, package):
        """The flags for what a package depends on."""
        return ["-I", str(package.built_modules)]

    def sources(self, target):
        files = [self.copy(file) for file in target.files]
        texts = (file.read_text() for file in target.files)
        if self.is_apple and target.package is not self.stubs and any("import Darwin\n" in text for text in texts):
            files.append(self.copy(STUBS / "InModule" / "Darwin.swift"))
        return files

    def run(self, command):
        run = subprocess.run(command, capture_output=True, text=True)
        if run.returncode != 0:
            words = (run.stdout + run.stderr).replace(f"{self.folder}/", "")
            raise Failure(f"for {self.configuration.name}:\n{words}")

    def build(self, target, keep_objects=False):
        """A whole target, after those that it depends on."""
        if target.name in self.done:
            return
        self.done.add(target.name)
        for name in target.dependencies:
            for dependency in self.targets_of(name, target.package):
                self.build(dependency, keep_objects)
        files = self.sources(target)
        command = ["swiftc", "-Onone", "-wmo", "-enable-testing", *self.flags(target), *files]
        command += ["-emit-module", "-emit-module-path", str(self.modules / f"{target.name}.swiftmodule")]
        if keep_objects:
            object_file = str(self.modules / f"{target.name}.o")
            command += ["-c", "-o", object_file]
            if target.kind != "executable":
                self.objects.append(object_file)
        self.run(command)
        self.compiled |= set(target.files)

    def check(self, target, files):
        """Some files of a target, after the targets that it depends on."""
        for name in target.dependencies:
            for dependency in self.targets_of(name, target.package):
                self.build(dependency)
        sources = dict(zip(target.files, self.sources(target)))
        others = [source for file, source in sources.items() if file not in files]
        command = ["swiftc", "-frontend", "-emit-sil", "-o", "/dev/null", *self.flags(target), *others]
        command += ["-plugin-path", str(toolchain() / "host" / "plugins"), "-enable-testing"]
        command += ["-plugin-path", str(toolchain() / "host" / "plugins" / "testing")]
        for file in files:
            self.run([*command, *[sources[other] for other in files if other != file], "-primary-file", sources[file]])
        self.compiled |= set(files)

    def targets_of(self, name, package):
        """The targets of a dependency, in this repository; none for third-party products."""
        if name in package.targets:
            candidates = [package.targets[name]]
        else:
            candidates = [
                other.targets[target] for other in self.packages for target in other.products.get(name, [])
            ]
        return [target for target in candidates if target.kind in LIBRARY]

    def build_stubs(self, keep_objects=False):
        support = {"AppleFoundation", "AppleCoreFoundation"} if self.is_apple else set()
        for name, target in self.stubs.targets.items():
            if name in self.configuration.modules | support:
                try:
                    self.build(target, keep_objects)
                except Failure as failure:
                    print(failure, file=sys.stderr)


class AvailabilityCompiler(Compiler):
    """Type-checks for the oldest system of a configuration; see availability.py."""

    strictness = []

    def __init__(self, configuration, packages, stubs, apple):
        super().__init__(configuration, packages, stubs)
        self.apple = apple
        self.narrow = availability.narrow_file()
        self.faults = []
        self.checked = []

    def dependencies(self, package):
        return self.apple.flags

    def build(self, target, keep_objects=False):
        if target.name in self.done:
            return
        self.done.add(target.name)
        for name in target.dependencies:
            for dependency in self.targets_of(name, target.package):
                self.build(dependency)
        is_stub = target.package is self.stubs
        # Emits the module in spite of errors, so that the modules that depend on it are checked too.
        command = ["swiftc", "-frontend", "-emit-module", "-experimental-allow-module-with-compiler-errors", "-enable-testing"]
        command += ["-o", str(self.modules / f"{target.name}.swiftmodule"), *self.flags(target), *self.sources(target)]
        run = subprocess.run(command + ([] if is_stub else [self.narrow]), capture_output=True, text=True)
        words = (run.stdout + run.stderr).replace(f"{self.folder}/", "")
        self.faults += sorted(set(availability.FAULT.findall(words)))
        if run.returncode not in (0, 1) or not (self.modules / f"{target.name}.swiftmodule").exists():
            raise Failure(f"{target.name} was not checked for {self.configuration.name}:\n{words}")
        if not is_stub:
            self.checked.append(target.name)


    def prove(self):
        """Checks sources with planted faults: each must be found."""
        planted = self.folder / "Planted.swift"
        planted.write_text(availability.PLANTED)
        flags = self.flags(self.packages[0].targets["DualSendRemapping"])
        command = ["swiftc", "-frontend", "-typecheck", *flags, str(planted), self.narrow]
        words = subprocess.run(command, capture_output=True, text=True).stderr
        places = [line.split(":")[1] for line in availability.FAULT.findall(words) + availability.wide_shifts([planted])]
        for number, line in enumerate(availability.PLANTED.splitlines(), 1):
            if "fault" in line and str(number) not in places:
                raise Failure(f"the check of availability does not find: {line.strip()}\n{words}")


class Check:
    def __init__(self):
        folders = [ROOT]
        for name in output_of("git", "ls-files", "--", "*/Package.swift").split():
            folder = (ROOT / name).parent
            if folder != STUBS and not name.startswith("Fixtures/"):
                folders.append(folder)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            self.stubs, *self.packages = pool.map(Package, [STUBS, *folders])
        for package in self.packages:
            if package.folder.name in ("Tools", ROOT.name):
                package.build_once({"Tools": "NIOCore"}.get(package.folder.name, "GRDB"))
        self.compilers = {
            configuration: Compiler(configuration, self.packages, self.stubs) for configuration in [*APPLE, *VARIANTS]
        }
        self.failures = []
        self.failed = set()

    @property
    def library(self):
        """The code that adopters compile."""
        return [target for target in self.packages[0].targets.values() if target.kind in LIBRARY]

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
        if faults:
            raise Failure("on the oldest systems:\n" + "\n".join(faults))
        print(f"{configuration.name}: {len(compiler.checked)} modules checked with @available: {', '.join(compiler.checked)}")

    def check_elsewhere(self, configuration):
        """Branches of other targets that Linux does not compile."""
        compiler = self.compilers[configuration]
        for package in self.packages:
            for target in package.targets.values():
                if target.kind in LIBRARY and package is self.packages[0]:
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


LIBRARY = ("regular", "library", "executable")
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


def configurations_of(target):
    """The systems for which the branches of a target outside the library matter."""
    package = target.package.folder
    if package == ROOT:
        return [MACOS] if target.kind == "plugin" else [IOS]
    if package.name == "Examples":
        return APPLE
    return [] if is_exempt(target) else [MACOS, MUSL]


def is_exempt(target):
    """Whether a target's branches for other systems may stay unchecked: programs that measure and tests that need a server
    or a small disk, which run on Linux."""
    package = target.package.folder.name
    if package == "Tools":
        return target.kind == "test" or target.folder.parent.name in ("Benchmarks", "Fuzz", "Tests")
    return target.package.folder != ROOT and package != "Examples"


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
