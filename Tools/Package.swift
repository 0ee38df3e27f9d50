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
let rolloutTraces: Target.Dependency = .product(name: "DualSendRolloutTraces", package: "DualSend")
let wireFormats: Target.Dependency = .product(name: "DualSendWireFormats", package: "DualSend")
let testing: Target.Dependency = .product(name: "DualSendTesting", package: "DualSend")
let conformance: Target.Dependency = .product(name: "DualSendConformance", package: "DualSend")
let codeGeneration: Target.Dependency = .product(name: "DualSendCodeGeneration", package: "DualSend")
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

/// AsyncHTTPClient, which Apple platforms build none of.
func onLinux(_ name: String, _ package: String) -> Target.Dependency {
  .product(name: name, package: package, condition: .when(platforms: [.linux]))
}

// What people run: the command `dualsend`, the collector, and every test that needs a server. A package of its own, so
// that an app that depends on DualSend neither resolves nor builds any of it.
let package = Package(
  name: "DualSendTools",
  platforms: [.macOS(.v14)],
  products: [
    .executable(name: "dualsend", targets: ["DualSendTool"]),
    .executable(name: "dualsend-demo", targets: ["DualSendDemo"]),
    .executable(name: "guard-benchmark", targets: ["DualSendGuardBenchmark"]),
    // For `Benchmarks` and `Fuzz`.
    .library(name: "DualSendCollector", targets: ["DualSendCollector"]),
    // For `SourceTools`.
    .library(name: "DualSendCommandLine", targets: ["DualSendCommandLine"]),
    .library(name: "DualSendDatabase", targets: ["DualSendDatabase"]),
    .library(name: "DualSendHTTPClient", targets: ["DualSendHTTPClient"]),
    // For `SourceTools`, which makes inventories.
    .library(name: "DualSendInventory", targets: ["DualSendInventory"]),
    .library(name: "DualSendParity", targets: ["DualSendParity"]),
    .library(name: "DualSendRolloutAnalysis", targets: ["DualSendRolloutAnalysis"]),
  ],
  dependencies: [
    .package(name: "DualSend", path: ".."),
    // The command line.
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    // The collector, the config server and the console. Its decoder takes limits from this version on.
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    // HTTP on Linux, where URLSession loses requests; see HTTPClientTransport.
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.26.0"),
    .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.30.0"),
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
    .target(name: "DualSendJSONLines", dependencies: [remapping], swiftSettings: settings),
    .target(
      name: "DualSendHTTPClient",
      dependencies: [
        dualSend, onLinux("AsyncHTTPClient", "async-http-client"), onLinux("NIOCore", "swift-nio"),
        onLinux("NIOHTTP1", "swift-nio"), onLinux("NIOPosix", "swift-nio"), onLinux("NIOSSL", "swift-nio-ssl"), crypto,
      ],
      swiftSettings: settings
    ),
    .target(name: "DualSendRolloutAnalysis", dependencies: [dualSend, crypto], swiftSettings: settings),
    // What counted failures say of a share: the bounds of parity, the tests of `guard`.
    .target(name: "DualSendStatistics", dependencies: [remapping], swiftSettings: settings),
    .target(
      name: "DualSendParity", dependencies: ["DualSendJSONLines", "DualSendStatistics", dualSend],
      swiftSettings: settings),
    // The rollout on autopilot: its policy, what it decides by, and what it remembers.
    .target(
      name: "DualSendGuard", dependencies: ["DualSendParity", "DualSendStatistics", dualSend], swiftSettings: settings),
    // Ten thousand runs of the tests of `guard`, for `scripts/benchmark guard`.
    .executableTarget(name: "DualSendGuardBenchmark", dependencies: ["DualSendStatistics"], swiftSettings: settings),
    .target(name: "DualSendInventory", dependencies: [remapping], swiftSettings: settings),
    // Tables drafted from evidence, and tables as spreadsheets.
    .target(
      name: "DualSendDrafting",
      dependencies: [
        "DualSendInventory", "DualSendJSONLines", "DualSendParity", "DualSendStatistics", dualSend, tables,
      ],
      swiftSettings: settings),
    .target(name: "DualSendSQL", dependencies: [dualSend], swiftSettings: settings),
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
      name: "DualSendDatabase", dependencies: [dualSend, .product(name: "GRDB", package: "GRDB.swift")],
      swiftSettings: settings),
    // What every verb has: where it reads and writes, and how it ends.
    .target(
      name: "DualSendCommandLine",
      dependencies: [
        "DualSendJSONLines", remapping, .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: settings
    ),
    // The verbs about rollouts, tables, typed events, parity and delivery, each beside what it does.
    .target(
      name: "DualSendCommands",
      dependencies: [
        "DualSendCollector", "DualSendCommandLine", "DualSendDatabase", "DualSendDrafting", "DualSendGuard",
        "DualSendInventory", "DualSendJSONLines", "DualSendParity", "DualSendRolloutAnalysis", "DualSendSQL",
        codeGeneration, conformance, dualSend, rolloutTraces, tables, testing, wireFormats,
        .product(name: "Logging", package: "swift-log"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      resources: ["guard", "normalisation", "remapping", "specification"].map {
        .embedInCode("Documents/Schemas/\($0).schema.json")
      },
      swiftSettings: settings
    ),
    // `dualsend console`: its server, its pages, and what they do.
    .target(
      name: "DualSendConsole",
      dependencies: [
        "DualSendCollector", "DualSendCommandLine", "DualSendCommands", "DualSendDatabase", "DualSendHTTPServer",
        "DualSendJSONLines", "DualSendParity", "DualSendRolloutAnalysis", dualSend, rolloutTraces,
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      exclude: ["API.md"],
      resources: [.copy("Page")],
      swiftSettings: settings
    ),
    // The root of the command, and the demo.
    .target(
      name: "DualSendJourney",
      dependencies: [
        "DualSendCollector", "DualSendCommandLine", "DualSendCommands", "DualSendConsole", "DualSendJSONLines",
        "DualSendParity", dualSend, .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: settings
    ),
    // Not named `dualsend`: beside `DualSend` it would be the same folder on a case-insensitive file system.
    .executableTarget(
      name: "DualSendTool", dependencies: ["DualSendCommandLine", "DualSendHTTPClient", "DualSendJourney"],
      swiftSettings: settings),
    // `dualsend demo` without the HTTP client, whose libraries take longer to build than all the rest.
    .executableTarget(
      name: "DualSendDemo", dependencies: ["DualSendCollector", "DualSendCommandLine", "DualSendJourney"],
      swiftSettings: settings),

    testTarget("DualSendJSONLines", dualSend),
    testTarget("DualSendStatistics", dualSend),
    testTarget("DualSendGuard", "DualSendParity", dualSend),
    testTarget("DualSendInventory", dualSend),
    testTarget("DualSendDrafting", "DualSendInventory", "DualSendParity", dualSend, tables),
    testTarget("DualSendDatabase", dualSend, .product(name: "GRDB", package: "GRDB.swift")),
    testTarget("DualSendRolloutAnalysis", dualSend, rolloutTraces),
    testTarget("DualSendParity", "DualSendJSONLines", conformance, dualSend, testing, and: readableDifferences),
    testTarget(
      "DualSendCollector", "DualSendHTTPClient", dualSend, wireFormats, .product(name: "Logging", package: "swift-log")),
    testTarget(
      "DualSendHTTPServer", .product(name: "NIOCore", package: "swift-nio"),
      .product(name: "NIOPosix", package: "swift-nio")),
    testTarget("DualSendCommandLine", "DualSendCommandTesting", dualSend),
    testTarget(
      "DualSendCommands", "DualSendCollector", "DualSendCommandLine", "DualSendCommandTesting", "DualSendHTTPClient",
      "DualSendGuard", "DualSendInventory", "DualSendJourney", "DualSendParity", "DualSendRolloutAnalysis",
      codeGeneration, dualSend, testing, .product(name: "GRDB", package: "GRDB.swift"), and: readableDifferences),
    testTarget(
      "DualSendConsole", "DualSendCommandLine", "DualSendCommands", "DualSendCommandTesting", "DualSendHTTPClient",
      "DualSendParity", dualSend, testing, .product(name: "ArgumentParser", package: "swift-argument-parser")),
    testTarget(
      "DualSendJourney", "DualSendCommandLine", "DualSendCommandTesting", "DualSendHTTPClient", "DualSendJSONLines",
      dualSend, tables),
    // What tests of verbs share: a console that records, files of a test, the command as a process.
    .target(
      name: "DualSendCommandTesting",
      dependencies: ["DualSendCommandLine", "DualSendHTTPClient", "DualSendJSONLines", dualSend],
      path: "Tests/DualSendCommandTesting", swiftSettings: settings),
    .testTarget(
      name: "DualSendServerTests",
      dependencies: [
        "DualSendCollector", "DualSendHTTPClient", "DualSendRolloutAnalysis", dualSend, testing,
      ],
      swiftSettings: settings
    ),

    // The process that the fault tests kill; no product of its own.
    .executableTarget(
      name: "DualSendCrashChild",
      dependencies: ["DualSendHTTPClient", dualSend, .product(name: "Logging", package: "swift-log")],
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
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "Logging", package: "swift-log"),
      ] + readableDifferences,
      swiftSettings: settings
    ),
  ]
)

func testTarget(
  _ subject: String, _ others: Target.Dependency..., and more: [Target.Dependency] = []
) -> Target {
  .testTarget(
    name: subject + "Tests", dependencies: [.target(name: subject)] + others + more, swiftSettings: settings)
}
