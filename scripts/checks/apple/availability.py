"""Type-checks the sources for the oldest Apple systems with the compiler's own `@available` checks, on Linux.

The standard library and Foundation of the Linux toolchain carry every `@available` of Apple's. Copies of these modules get
Apple's target triple, of the same length, in place of Linux's; then the compiler checks calls against macOS 13, which brings
the same standard library as iOS 16, tvOS 16, watchOS 9 and visionOS 1. Nothing of Apple's is needed.

Also refuses `Int(…)` of a value that may need more than 32 bits: on arm64_32 (Apple Watch), `Int` has 32 bits, and the
conversion stops the app.
"""

import functools
import re
import shutil

# Of equal length: the name is replaced in binary files.
LINUX_TRIPLE = b"x86_64-unknown-linux-gnu"
APPLE_TRIPLE = b"x86_64-apple-macosx13.00"

# Linux's C library is imported in place of Apple's, so the preprocessor must see Linux.
UNDEFINED = "__nonnull __nullable __null_unspecified __APPLE__ __MACH__".split()
DEFINED = """
    __linux__=1 __gnu_linux__=1 __unix__=1 linux=1 __ELF__=1 _GNU_SOURCE=1 TARGET_OS_MAC=0 TARGET_OS_OSX=0 TARGET_OS_LINUX=1
""".split()
# The C modules of the toolchain.
C_MODULES = "dispatch CoreFoundation _FoundationCShims _foundation_unicode".split()

# A function that is not generic is preferred to the standard library's. Deprecated, because one that is not available is not.
NARROW = """
extension Int {
  @available(*, deprecated, message: "Int may have 32 bits: use Int64, Int(exactly:) or Int(clamping:)")
  init(_ wide: Int64) { self.init(truncatingIfNeeded: wide) }
  @available(*, deprecated, message: "Int may have 32 bits: use UInt64, Int(exactly:) or Int(clamping:)")
  init(_ wide: UInt64) { self.init(truncatingIfNeeded: wide) }
  @available(*, deprecated, message: "Int may have 32 bits: use UInt32, Int(exactly:) or Int(clamping:)")
  init(_ wide: UInt32) { self.init(truncatingIfNeeded: wide) }
}
"""
# A shift that `Int` of 32 bits does not hold is 0; the compiler says nothing.
WIDE_SHIFT = re.compile(r"(?<!\w)(?<!\w\.)\d+ << (3[1-9]|[4-6]\d)\b")
SIXTY_FOUR_BITS = re.compile(r"\bU?Int64\b|0x")


# Each line with a comment `fault` must be found, or the check looks at nothing.
PLANTED = """
import DualSendCore
typealias Work = @isolated(any) @Sendable () async -> Void
let work = Locked<Int>(0)
func text(_ bytes: [UInt8]) -> String? { String(validating: bytes, as: UTF8.self) }  // fault: iOS 18
func next() -> Work? { work.withLock { _ -> Work? in nil } }  // fault: iOS 18
func share(_ wide: Int64) -> Int { Int(wide) }  // fault: 32 bits
let most = 0...1 << 53  // fault: 32 bits
"""


class AppleToolchain:
    """The toolchain's modules with Apple's triple, in a folder of their own."""

    def __init__(self, toolchain, built_modules, folder):
        self.toolchain = toolchain
        self.folder = folder
        self.dependencies = folder / "dependencies"
        shutil.rmtree(folder, ignore_errors=True)
        (folder / "macosx").mkdir(parents=True)
        (folder / "mach").mkdir()
        self.dependencies.mkdir()
        for module in (toolchain / "linux").glob("*.swiftmodule"):
            file = module / f"{LINUX_TRIPLE.decode()}.swiftmodule"
            if file.exists():
                (folder / "macosx" / module.name).mkdir()
                self._copy(file, folder / "macosx" / module.name / "x86_64-apple-macos.swiftmodule")
        for file in built_modules.glob("*.swiftmodule"):
            if not file.name.startswith("DualSend"):
                self._copy(file, self.dependencies / file.name)
        for name in ("shims", "clang", "os", "Block", *C_MODULES):
            (folder / name).symlink_to(toolchain / name)
        (folder / "mach" / "clock_types.h").write_text("#define NSEC_PER_SEC 1000000000ull\n")
        glibc = toolchain / "linux" / "x86_64"
        files = {"module.modulemap": glibc / "glibc.modulemap", "SwiftGlibc.h": glibc / "SwiftGlibc.h"}
        contents = ",".join(
            f'{{"name":"{name}","type":"file","external-contents":"{file}"}}' for name, file in files.items()
        )
        overlay = f'{{"name":"/usr/include","type":"directory","contents":[{contents}]}}'
        (folder / "overlay.yaml").write_text(f'{{"version":0,"roots":[{overlay}]}}')

    @staticmethod
    def _copy(file, target):
        target.write_bytes(file.read_bytes().replace(LINUX_TRIPLE, APPLE_TRIPLE))

    @functools.cached_property
    def flags(self):
        clang = [f"-U{name}" for name in UNDEFINED]
        for definition in DEFINED:
            clang += [f"-U{definition.split('=')[0]}", f"-D{definition}"]
        clang += ["-nostdinc++", f"-I{self.folder}", "-isystem/usr/include/x86_64-linux-gnu"]
        clang += ["-ivfsoverlay", str(self.folder / "overlay.yaml"), "-fmodule-map-file=/usr/include/module.modulemap"]
        clang += [f"-fmodule-map-file={self.toolchain / name / 'module.modulemap'}" for name in C_MODULES]
        result = ["-target", "x86_64-apple-macosx13.0", "-disable-objc-interop", "-resource-dir", str(self.folder)]
        result += ["-module-cache-path", str(self.folder / "cache"), "-plugin-path", str(self.toolchain / "host" / "plugins")]
        result += ["-I", str(self.dependencies)]
        for flag in clang:
            result += ["-Xcc", flag]
        return result


FAULT = re.compile(r"^.*: (?:error: .*|warning: .*Int may have 32 bits.*)$", re.MULTILINE)


def narrow_file(folder):
    """A file that makes `Int(…)` of wide values a fault in the module that it is compiled with."""
    file = folder / "Narrow.swift"
    file.write_text(NARROW)
    return str(file)


def wide_shifts(files):
    """The lines that shift an `Int` by more than 30 bits."""
    found = []
    for file in files:
        for number, line in enumerate(file.read_text().splitlines(), 1):
            code = line.split("//")[0]
            if WIDE_SHIFT.search(code) and not SIXTY_FOUR_BITS.search(code):
                found.append(f"{file}:{number}: error: Int may have 32 bits: {line.strip()}")
    return found
