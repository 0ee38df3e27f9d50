// swift-tools-version: 6.1
import PackageDescription

/// The same language rules as the package that apps link.
let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let dualSend: Target.Dependency = .product(name: "DualSend", package: "DualSend")
let remapping: Target.Dependency = .product(name: "DualSendRemapping", package: "DualSend")
let tables: Target.Dependency = .product(name: "DualSendTables", package: "DualSend")
let wireFormats: Target.Dependency = .product(name: "DualSendWireFormats", package: "DualSend")
let testing: Target.Dependency = .product(name: "DualSendTesting", package: "DualSend")
let conformance: Target.Dependency = .product(name: "DualSendConformance", package: "DualSend")
let codeGeneration: Target.Dependency = .product(name: "DualSendCodeGeneration", package: "DualSend")
let signatures: Target.Dependency = .product(name: "DualSendSignatures", package: "DualSend")
let crypto: Target.Dependency = .product(
  name: "Crypto", package: "swift-crypto", condition: .when(platforms: [.linux, .android, .windows, .wasi]))

/// swift-custom-dump reports a difference through the other, which makes it fail the test.
let readableDifferences: [Target.Dependency] = [
  .product(name: "CustomDump", package: "swift-custom-dump"),
  .product(name: "IssueReportingTestSupport", package: "xctest-dynamic-overlay"),
]

let nio: [Target.Dependency] = [
  .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOHTTP1", package: "swift-nio"),
  .product(name: "NIOPosix", package: "swift-nio"),
]

let syntax: Target.Dependency = .product(name: "SwiftSyntax", package: "swift-syntax")
let parser: Target.Dependency = .product(name: "SwiftParser", package: "swift-syntax")
let arguments: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let grdb: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift")

// What people run: the command `dualsend`, the collector, the benchmarks, the fuzzer, and every test that needs a server. A
// package of its own, so that an app that depends on DualSend neither resolves nor builds any of it.
let package = Package(
  name: "DualSendTools",
  platforms: [.macOS(.v13)],
  products: [
    .executable(name: "dualsend", targets: ["DualSendTool"]),
    .executable(name: "dualsend-demo", targets: ["DualSendDemo"]),
    .executable(name: "benchmarks", targets: ["Benchmarks"]),
    .executable(name: "guard-benchmark", targets: ["GuardBenchmark"]),
    .executable(name: "source-benchmark", targets: ["SourceBenchmark"]),
    .executable(name: "fuzz", targets: ["Fuzz"]),
    // For `Examples`.
    .library(name: "DualSendCollector", targets: ["DualSendCollector"]),
  ],
  dependencies: [
    .package(name: "DualSend", path: "..", traits: ["SwiftCrypto"]),
    // The command line.
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    // The collector, the config server and the console. Its decoder takes limits from this version on.
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    // What reads and changes an app's sources.
    .package(url: "https://github.com/swiftlang/swift-syntax", exact: "603.0.1"),
    // Reads databases without changing them.
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    // The secret half of signatures, where the system has no CryptoKit.
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    // Readable differences in tests, and what makes them fail a test.
    .package(url: "https://github.com/pointfreeco/swift-custom-dump", from: "1.7.3"),
    .package(url: "https://github.com/pointfreeco/xctest-dynamic-overlay", from: "1.13.1"),
  ],
  targets: [
    // Tables of text and Markdown, and edits and differences of texts.
    .target(name: "DualSendText", dependencies: [remapping], swiftSettings: settings),
    .target(name: "DualSendJSONLines", dependencies: [remapping], swiftSettings: settings),
    .target(
      name: "DualSendHTTPClient",
      dependencies: [
        .product(name: "DualSendTracking", package: "DualSend"),
        .target(name: "DualSendCCurl", condition: .when(platforms: [.linux])),
      ],
      swiftSettings: settings
    ),
    // HTTP on Linux, where URLSession loses requests; see CurlTransport.
    .systemLibrary(name: "DualSendCCurl"),
    .target(
      name: "DualSendRolloutAnalysis", dependencies: ["DualSendText", dualSend, crypto], swiftSettings: settings),
    // What counted failures say of a share: the bounds of parity, the tests of `guard`.
    .target(name: "DualSendStatistics", dependencies: [remapping], swiftSettings: settings),
    .target(
      name: "DualSendParity",
      dependencies: ["DualSendJSONLines", "DualSendStatistics", "DualSendText", dualSend, grdb],
      swiftSettings: settings),
    // The guard: its policy, what it decides by, and what it remembers.
    .target(
      name: "DualSendGuard", dependencies: ["DualSendParity", "DualSendStatistics", dualSend], swiftSettings: settings),
    .target(name: "DualSendInventory", dependencies: [remapping], swiftSettings: settings),
    // Tables drafted from names, and tables as spreadsheets.
    .target(
      name: "DualSendDrafting", dependencies: ["DualSendInventory", "DualSendJSONLines", dualSend, tables],
      swiftSettings: settings),
    // HTTP for this machine, within limits.
    .target(
      name: "DualSendHTTPServer", dependencies: nio + [.product(name: "NIOConcurrencyHelpers", package: "swift-nio")],
      swiftSettings: settings),
    .target(
      name: "DualSendCollector",
      dependencies: [
        "DualSendHTTPServer", "DualSendJSONLines", dualSend, wireFormats,
      ] + nio,
      swiftSettings: settings
    ),
    .target(
      name: "DualSendDatabase", dependencies: [dualSend, grdb],
      swiftSettings: settings),
    // What every verb has: where it reads and writes, and how it ends.
    .target(
      name: "DualSendCommandLine",
      dependencies: [
        "DualSendJSONLines", remapping, arguments,
      ],
      swiftSettings: settings
    ),
    // A file of legacy events through a real adapter: `replay` and the demo.
    .target(
      name: "DualSendDelivery",
      dependencies: [
        "DualSendCollector", "DualSendCommandLine", "DualSendJSONLines", "DualSendParity", "DualSendText", dualSend,
        wireFormats, arguments, logging,
      ],
      swiftSettings: settings),
    // The verbs about rollouts, tables, typed events, parity and delivery, each beside what it does.
    .target(
      name: "DualSendCommands",
      dependencies: [
        "DualSendCollector", "DualSendCommandLine", "DualSendDatabase", "DualSendDelivery", "DualSendDrafting",
        "DualSendGuard", "DualSendInventory", "DualSendJSONLines", "DualSendParity", "DualSendRolloutAnalysis",
        "DualSendText", codeGeneration, conformance, dualSend, signatures, tables, testing, arguments,
      ],
      resources: ["guard", "normalisation", "remapping", "specification"].map {
        .embedInCode("Documents/Schemas/\($0).schema.json")
      } + ["Concepts", "Diagnostics"].map { .embedInCode("Documents/Reference/\($0).md") },
      swiftSettings: settings
    ),
    // `dualsend console`: its server, its pages, and what they do.
    .target(
      name: "DualSendConsole",
      dependencies: [
        "DualSendCollector", "DualSendCommandLine", "DualSendCommands", "DualSendHTTPServer", "DualSendJSONLines",
        "DualSendParity", "DualSendRolloutAnalysis", dualSend, arguments,
      ],
      exclude: ["API.md"],
      resources: [.copy("Page")],
      swiftSettings: settings
    ),
    // The root of the command, and the demo.
    .target(
      name: "DualSendJourney",
      dependencies: [
        "DualSendCommandLine", "DualSendCommands", "DualSendConsole", "DualSendDelivery", "DualSendJSONLines",
        "DualSendSourceCommands", dualSend, arguments,
      ],
      swiftSettings: settings
    ),
    // Not named `dualsend`: beside `DualSend` it would be the same folder on a case-insensitive file system.
    .executableTarget(
      name: "DualSendTool", dependencies: ["DualSendCommandLine", "DualSendHTTPClient", "DualSendJourney"],
      swiftSettings: settings),
    // `dualsend demo` alone: `scripts/demo` builds no other verb, no page, no cipher and no parser of Swift.
    .executableTarget(
      name: "DualSendDemo", dependencies: ["DualSendCollector", "DualSendCommandLine", "DualSendDelivery", arguments],
      swiftSettings: settings),

    // What an app's sources can log, worked out without a compiler.
    .target(
      name: "DualSendSource",
      dependencies: [
        "DualSendInventory", remapping, parser, syntax, .product(name: "SwiftOperators", package: "swift-syntax"),
      ],
      swiftSettings: settings),
    // The change at the end of a migration.
    .target(
      name: "DualSendRewriting",
      dependencies: ["DualSendInventory", "DualSendSource", "DualSendText", codeGeneration, remapping, syntax],
      swiftSettings: settings),
    // The verbs about sources.
    .target(
      name: "DualSendSourceCommands",
      dependencies: [
        "DualSendCommandLine", "DualSendInventory", "DualSendRewriting", "DualSendSource", "DualSendText", remapping,
        arguments,
      ],
      swiftSettings: settings),

    // What `scripts/benchmark` runs: it sees what adopters see, and what the tools see where a part is measured alone.
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        // Counts allocations, which no Swift API does.
        "CAllocations",
        // Answers on loopback, in a process of its own.
        "DualSendCollector",
        // The transport of the command `dualsend`: Linux's `URLSession` would be what is measured.
        "DualSendHTTPClient", "DualSendRolloutAnalysis", dualSend,
        // SQLite itself: the plain C calls that the store is compared with.
        .product(name: "GRDBSQLite", package: "GRDB.swift", condition: .when(platforms: [.linux])),
      ],
      path: "Benchmarks/Benchmarks", swiftSettings: settings),
    .target(name: "CAllocations", path: "Benchmarks/CAllocations"),
    // Ten thousand runs of the tests of `guard`.
    .executableTarget(
      name: "GuardBenchmark",
      dependencies: ["DualSendGuard", "DualSendParity", "DualSendStatistics", remapping],
      path: "Benchmarks/GuardBenchmark",
      swiftSettings: settings),
    .executableTarget(
      name: "SourceBenchmark", dependencies: ["DualSendInventory", "DualSendSource", parser, syntax],
      path: "Benchmarks/SourceBenchmark", swiftSettings: settings),

    // `scripts/check fuzz` builds it with the compiler's coverage counters in every module and links libFuzzer's runtime. It
    // also enables testing in this release build: half of the readers of outside bytes are not public, and each must be
    // reached by itself.
    .executableTarget(
      name: "Fuzz",
      dependencies: [
        "CLibFuzzer", "DualSendDatabase", "DualSendParity", "DualSendRolloutAnalysis", dualSend, tables, wireFormats,
        grdb,
      ],
      path: "Fuzz/Fuzz", swiftSettings: settings),
    // Declares the entry points of libFuzzer, which has no Swift interface.
    .target(name: "CLibFuzzer", path: "Fuzz/CLibFuzzer"),

    testTarget("DualSendJSONLines", dualSend),
    testTarget("DualSendStatistics", dualSend),
    testTarget("DualSendText", dualSend),
    testTarget("DualSendGuard", "DualSendJSONLines", "DualSendParity", dualSend),
    testTarget("DualSendInventory", dualSend),
    testTarget("DualSendDrafting", "DualSendInventory", codeGeneration, dualSend),
    testTarget("DualSendDatabase", dualSend, grdb),
    testTarget("DualSendRolloutAnalysis", conformance, dualSend),
    testTarget("DualSendParity", "DualSendJSONLines", conformance, dualSend, testing, and: readableDifferences),
    testTarget(
      "DualSendCollector", "DualSendHTTPClient", "DualSendJSONLines", dualSend, wireFormats, logging),
    testTarget(
      "DualSendHTTPServer", .product(name: "NIOCore", package: "swift-nio"),
      .product(name: "NIOPosix", package: "swift-nio")),
    testTarget("DualSendCommandLine", "DualSendCommandTesting", dualSend),
    testTarget(
      "DualSendCommands", "DualSendCollector", "DualSendCommandLine", "DualSendCommandTesting", "DualSendHTTPClient",
      "DualSendGuard", "DualSendInventory", "DualSendJourney", "DualSendParity", "DualSendRolloutAnalysis",
      codeGeneration, dualSend, testing, grdb, and: readableDifferences),
    testTarget(
      "DualSendConsole", "DualSendCollector", "DualSendCommandLine", "DualSendCommands", "DualSendCommandTesting",
      "DualSendHTTPClient",
      "DualSendParity", dualSend, testing, arguments),
    testTarget(
      "DualSendJourney", "DualSendCommandLine", "DualSendCommandTesting", "DualSendHTTPClient", "DualSendJSONLines",
      dualSend, tables, arguments),
    // What tests of verbs share: a console that records, files of a test, the command as a process.
    .target(
      name: "DualSendCommandTesting",
      dependencies: [
        "DualSendCommandLine", "DualSendHTTPClient", "DualSendJSONLines", dualSend,
        .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOPosix", package: "swift-nio"),
      ],
      path: "Tests/DualSendCommandTesting", swiftSettings: settings),
    .testTarget(
      name: "DualSendServerTests",
      dependencies: [
        "DualSendCollector", "DualSendCommandTesting", "DualSendHTTPClient", "DualSendRolloutAnalysis", dualSend,
        signatures, testing,
      ],
      swiftSettings: settings
    ),
    testTarget("DualSendSource", "DualSendInventory", "DualSendRewriting", remapping, parser, syntax),
    testTarget("DualSendRewriting", "DualSendSource", conformance, remapping, parser, syntax),
    // The tests run the built command, too.
    testTarget(
      "DualSendSourceCommands", "DualSendCommandLine", "DualSendInventory", "DualSendTool", remapping, arguments),

    // The process that the fault tests kill; no product of its own.
    .executableTarget(
      name: "DualSendCrashChild",
      dependencies: ["DualSendHTTPClient", dualSend, logging],
      path: "Tests/DualSendCrashChild",
      swiftSettings: settings
    ),
    // A SQLite VFS whose writes fail on demand: only C can hand SQLite its function tables.
    .target(
      name: "DualSendFaultingVFS", path: "Tests/DualSendFaultingVFS", linkerSettings: [.linkedLibrary("sqlite3")]),
    .testTarget(
      name: "DualSendFaultTests",
      dependencies: [
        "DualSendCollector", "DualSendCrashChild", "DualSendFaultingVFS", "DualSendHTTPClient", dualSend, testing,
        grdb,
        logging,
      ] + readableDifferences,
      swiftSettings: settings
    ),
  ]
)

// `scripts/test MODULE` builds the tests of no other module.
if let wanted = Context.environment["DUALSEND_TESTS"]?.split(separator: ",").map(String.init) {
  package.targets.removeAll { $0.type == .test && !wanted.contains($0.name) }
}

func testTarget(
  _ subject: String, _ others: Target.Dependency..., and more: [Target.Dependency] = []
) -> Target {
  .testTarget(
    name: subject + "Tests", dependencies: [.target(name: subject)] + others + more, swiftSettings: settings)
}
