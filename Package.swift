// swift-tools-version: 6.1
import PackageDescription

// One package. An app that depends on it resolves what its products reach: GRDB, swift-log and swift-metrics. The command
// `dualsend`, its servers, the benchmarks and the fuzzer are in no product, so SwiftPM leaves their packages out.
let package = Package(
  name: "DualSend",
  platforms: [.iOS(.v16), .macOS(.v13), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
  products: [
    .library(name: "DualSend", targets: ["DualSend"]),
    .library(name: "DualSendTracking", targets: ["DualSendTracking"]),
    .library(name: "DualSendWireFormats", targets: ["DualSendWireFormats"]),
    .library(name: "DualSendMetricKit", targets: ["DualSendMetricKit"]),
    .library(name: "DualSendSignatures", targets: ["DualSendSignatures"]),
    .library(name: "DualSendTesting", targets: ["DualSendTesting"]),
    .plugin(name: "DualSendGeneratorPlugin", targets: ["DualSendGeneratorPlugin"]),
  ],
  traits: [
    .trait(
      name: "SwiftCrypto",
      description: "Gives DualSendSignatures swift-crypto, which checks signed rollouts where there is no CryptoKit.")
  ],
  dependencies: [
    // Of the products: the event store, diagnostics, and counters.
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
    // Of the tools; and of DualSendSignatures with its trait.
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    // Its decoder takes limits from this version on.
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/swiftlang/swift-syntax", exact: "603.0.1"),
    // Of tests: readable differences.
    .package(url: "https://github.com/pointfreeco/swift-custom-dump", from: "1.7.3"),
    .package(url: "https://github.com/pointfreeco/xctest-dynamic-overlay", from: "1.13.1"),
  ],
  targets: library + tools + programs + allTests + examples
)

// `scripts/test MODULE` builds the tests of no other module.
if let wanted = Context.environment["DUALSEND_TESTS"]?.split(separator: ",").map(String.init) {
  package.targets.removeAll { $0.type == .test && !wanted.contains($0.name) }
}

// MARK: - What an app links

var library: [Target] {
  [
    // Without `pkgConfig`, which would give Homebrew's folder to the linker for every Apple platform.
    .systemLibrary(name: "DualSendCZlib"),
    module("DualSendCore", "DualSendCZlib"),
    module("DualSendRemapping", "DualSendCore"),
    module("DualSendTables", "DualSendCore DualSendRemapping"),
    module("DualSendRollout", "DualSendCore Logging", resources: [.copy("Storage/PrivacyInfo.xcprivacy")]),
    // Beside `DualSendRollout`, so that an app that checks no signatures builds no cipher.
    module(
      "DualSendSignatures", "DualSendRollout",
      and: [
        .product(
          name: "Crypto", package: "swift-crypto",
          condition: .when(platforms: [.linux, .android, .windows, .wasi], traits: ["SwiftCrypto"]))
      ]),
    module(
      "DualSendTracking", "DualSendCore GRDB GRDBSQLite Logging Metrics",
      resources: [.copy("Store/PrivacyInfo.xcprivacy")]),
    module("DualSendWireFormats", "DualSendCore DualSendTracking"),
    module("DualSend", "DualSendCore DualSendRemapping DualSendRollout DualSendTracking Logging Metrics"),
    module(
      "DualSendMetricKit", "DualSendCore DualSendTracking", resources: [.copy("Reporter/PrivacyInfo.xcprivacy")]),
    module("DualSendTesting", "DualSend DualSendCore DualSendRollout DualSendTables DualSendTracking Logging"),
    module("DualSendCodeGeneration", "DualSendCore"),
    // Apps that use the plugin build it, so it parses its arguments itself.
    program("DualSendGenerator", "DualSendCodeGeneration DualSendCore"),
    .plugin(
      name: "DualSendGeneratorPlugin", capability: .buildTool(), dependencies: ["DualSendGenerator"],
      path: "Plugins/DualSendGeneratorPlugin"),
  ]
}

// MARK: - What people run

var tools: [Target] {
  [
    tool("DualSendCommandLine", "DualSendCore ArgumentParser"),
    // HTTP on Linux, where URLSession loses requests.
    .systemLibrary(name: "DualSendCCurl", path: "Sources/Tools/DualSendCCurl"),
    tool(
      "DualSendHTTPClient", "DualSendCore",
      and: [.target(name: "DualSendCCurl", condition: .when(platforms: [.linux]))]),
    tool(
      "DualSendRolloutAnalysis",
      """
      DualSendCommandLine DualSendCore DualSendRollout
      """,
      and: [.product(name: "Crypto", package: "swift-crypto", condition: .when(platforms: [.linux]))]),
    tool("DualSendParity", "DualSend DualSendCommandLine DualSendCore DualSendRemapping DualSendRollout GRDB"),
    tool("DualSendGuard", "DualSendCommandLine DualSendCore DualSendParity DualSendRollout"),
    tool("DualSendDatabase", "DualSendCore DualSendTracking GRDB GRDBSQLite"),
    // The only user of swift-syntax.
    tool(
      "DualSendSource",
      """
      DualSendCommandLine DualSendCore DualSendRemapping DualSendTables ArgumentParser SwiftOperators SwiftParser
      SwiftSyntax
      """),
    tool("DualSendDrafting", "DualSendCommandLine DualSendCore DualSendRemapping DualSendSource DualSendTables"),
    tool(
      "DualSendCollector",
      """
      DualSendCommandLine DualSendCore DualSendTracking DualSendWireFormats NIOConcurrencyHelpers NIOCore NIOHTTP1
      NIOPosix
      """),
    tool(
      "DualSendDelivery",
      """
      DualSend DualSendCollector DualSendCommandLine DualSendCore DualSendParity DualSendRemapping DualSendRollout
      DualSendTracking DualSendWireFormats ArgumentParser Logging
      """),
    tool(
      "DualSendCommands",
      """
      DualSend DualSendCodeGeneration DualSendCollector DualSendCommandLine DualSendConformance DualSendCore
      DualSendDatabase DualSendDelivery DualSendDrafting DualSendGuard DualSendParity DualSendRemapping
      DualSendRollout DualSendRolloutAnalysis DualSendSource DualSendTables DualSendTesting DualSendTracking
      ArgumentParser
      """,
      resources: ["guard", "normalisation", "remapping", "specification"].map {
        .embedInCode("Documents/Schemas/\($0).schema.json")
      } + ["Concepts", "Diagnostics"].map { .embedInCode("Documents/Reference/\($0).md") }),
    tool(
      "DualSendConsole",
      """
      DualSend DualSendCollector DualSendCommandLine DualSendCommands DualSendCore DualSendParity
      DualSendRemapping DualSendRollout DualSendRolloutAnalysis DualSendTables ArgumentParser
      """,
      resources: [.copy("Page")], exclude: ["API.md"]),
    // The command `dualsend`: some file systems do not distinguish that name from `DualSend`.
    program(
      "DualSendTool",
      """
      DualSend DualSendCommandLine DualSendCommands DualSendConsole DualSendCore DualSendDelivery
      DualSendHTTPClient DualSendRemapping DualSendRollout DualSendSource DualSendTracking ArgumentParser
      """, path: "Sources/Tools/DualSendTool"),
    // `dualsend demo` alone, for `scripts/demo`.
    program(
      "DualSendDemo",
      """
      DualSendCollector DualSendCommandLine DualSendDelivery ArgumentParser
      """, path: "Sources/Tools/DualSendDemo"),
  ]
}

// MARK: - Programs of `scripts/benchmark` and `scripts/check fuzz`

var programs: [Target] {
  [
    program(
      "Benchmarks",
      """
      DualSend DualSendCollector DualSendCore DualSendHTTPClient DualSendRollout DualSendRolloutAnalysis
      DualSendTracking CAllocations
      """,
      and: [.product(name: "GRDBSQLite", package: "GRDB.swift", condition: .when(platforms: [.linux]))],
      path: "Benchmarks/Benchmarks"),
    // Counts allocations, which no Swift API does.
    .target(name: "CAllocations", path: "Benchmarks/CAllocations"),
    module("GuardSimulations", "DualSendCore DualSendGuard DualSendParity", path: "Benchmarks/GuardSimulations"),
    program(
      "GuardBenchmark", "DualSendGuard DualSendParity DualSendRemapping GuardSimulations",
      path: "Benchmarks/GuardBenchmark"),
    program("SourceBenchmark", "DualSendSource SwiftParser SwiftSyntax", path: "Benchmarks/SourceBenchmark"),
    // `scripts/check fuzz` builds it for release with coverage counters, libFuzzer and testing enabled, because half of the
    // readers of outside bytes are not visible.
    program(
      "Fuzz",
      """
      DualSend DualSendCore DualSendDatabase DualSendDrafting DualSendParity DualSendRemapping DualSendRollout
      DualSendRolloutAnalysis DualSendSource DualSendTables DualSendTracking DualSendWireFormats CLibFuzzer GRDB
      """, path: "Fuzz/Fuzz"),
    // Declares the entry points of libFuzzer, which has no Swift interface.
    .target(name: "CLibFuzzer", path: "Fuzz/CLibFuzzer"),
  ]
}

// MARK: - Tests

var allTests: [Target] {
  [
    // Limits how many tests run at once, however they are started.
    .target(name: "CTestWidth", path: "Tests/CTestWidth"),
    // Reads the cases of `Fixtures/conformance`.
    module("DualSendConformance", "DualSendCore", path: "Tests/DualSendConformance"),
    // Doubles of the store, and what each store must do.
    module("DualSendStoreTesting", "DualSendCore DualSendTracking", path: "Tests/DualSendStoreTesting"),
    tests("DualSendCore", "DualSendCore CustomDump IssueReportingTestSupport"),
    tests("DualSendRemapping", "DualSendConformance DualSendCore DualSendRemapping DualSendTables"),
    tests("DualSendRollout", "DualSendConformance DualSendCore DualSendRollout DualSendTesting Logging"),
    tests(
      "DualSendTracking",
      """
      DualSendCore DualSendStoreTesting DualSendTesting DualSendTracking CustomDump GRDB IssueReportingTestSupport
      Logging Metrics MetricsTestKit
      """),
    tests(
      "DualSendWireFormats",
      """
      DualSendCore DualSendTesting DualSendTracking DualSendWireFormats CustomDump IssueReportingTestSupport
      """),
    tests(
      "DualSend",
      """
      DualSend DualSendConformance DualSendCore DualSendMetricKit DualSendRemapping DualSendRollout DualSendStoreTesting
      DualSendTesting DualSendTracking DualSendWireFormats CustomDump IssueReportingTestSupport Logging
      """),
    tests("DualSendMetricKit", "DualSend DualSendCore DualSendMetricKit DualSendTesting DualSendTracking"),
    tests("DualSendTesting", "DualSend DualSendCore DualSendRemapping DualSendRollout DualSendTesting"),
    tests("DualSendCodeGeneration", "DualSend DualSendCodeGeneration DualSendCore"),

    // What tests of verbs share: a console that records, files of a test, the command as a process.
    module(
      "DualSendCommandTesting",
      """
      DualSendCommandLine DualSendCore DualSendHTTPClient NIOCore NIOPosix
      """, path: "Tests/Tools/DualSendCommandTesting"),
    toolTests("DualSendCommandLine", "DualSendCommandLine DualSendCommandTesting DualSendCore"),
    toolTests("DualSendRolloutAnalysis", "DualSendConformance DualSendCore DualSendRollout DualSendRolloutAnalysis"),
    toolTests(
      "DualSendParity",
      """
      DualSend DualSendCommandLine DualSendConformance DualSendCore DualSendParity DualSendRemapping
      DualSendRollout DualSendTesting DualSendTracking CustomDump IssueReportingTestSupport GuardSimulations
      """),
    toolTests(
      "DualSendGuard", "DualSendCommandLine DualSendCore DualSendGuard DualSendParity DualSendRollout GuardSimulations"),
    toolTests("DualSendDatabase", "DualSendCore DualSendDatabase DualSendTracking GRDB"),
    toolTests(
      "DualSendSource",
      """
      DualSendCommandLine DualSendCore DualSendRemapping DualSendSource DualSendTables DualSendTool ArgumentParser
      SwiftParser SwiftSyntax
      """),
    toolTests(
      "DualSendDrafting",
      """
      DualSend DualSendCodeGeneration DualSendCore DualSendDrafting DualSendRemapping DualSendSource
      """),
    toolTests(
      "DualSendCollector",
      """
      DualSendCollector DualSendCommandLine DualSendCore DualSendHTTPClient DualSendTracking DualSendWireFormats
      Logging NIOCore NIOPosix
      """),
    toolTests(
      "DualSendCommands",
      """
      DualSend DualSendCodeGeneration DualSendCollector DualSendCommandLine DualSendCommandTesting
      DualSendCommands DualSendCore DualSendGuard DualSendHTTPClient DualSendParity DualSendRemapping
      DualSendRollout DualSendRolloutAnalysis DualSendSource DualSendTables DualSendTesting DualSendTool
      DualSendTracking CustomDump GRDB IssueReportingTestSupport
      """),
    toolTests(
      "DualSendConsole",
      """
      DualSend DualSendCollector DualSendCommandLine DualSendCommandTesting DualSendCommands DualSendConsole
      DualSendCore DualSendHTTPClient DualSendParity DualSendRemapping DualSendRollout DualSendTesting
      ArgumentParser
      """),
    toolTests(
      "DualSendTool",
      """
      DualSendCommandLine DualSendCommandTesting DualSendCore DualSendHTTPClient DualSendRemapping DualSendRollout
      DualSendTables DualSendTool ArgumentParser
      """),
    toolTests(
      "DualSendServer",
      """
      DualSendCollector DualSendCommandTesting DualSendCore DualSendHTTPClient DualSendRollout
      DualSendRolloutAnalysis DualSendTesting
      """),
    // The process that the fault tests kill.
    program(
      "DualSendCrashChild",
      """
      DualSend DualSendCore DualSendHTTPClient DualSendRollout DualSendTracking Logging
      """, path: "Tests/Tools/DualSendCrashChild"),
    // A SQLite VFS whose writes fail on demand: only C can hand SQLite its function tables.
    .target(
      name: "DualSendFaultingVFS", path: "Tests/Tools/DualSendFaultingVFS", linkerSettings: [.linkedLibrary("sqlite3")]),
    toolTests(
      "DualSendFault",
      """
      DualSend DualSendCollector DualSendCore DualSendCrashChild DualSendFaultingVFS DualSendHTTPClient
      DualSendRollout DualSendStoreTesting DualSendTesting DualSendTracking CustomDump GRDB
      IssueReportingTestSupport Logging
      """),
  ]
}

// MARK: - The walk through the stages of Examples

/// The sources are those of the package `Examples`, which compiles them as an app does. Here they run, with the collector.
var examples: [Target] {
  [
    example("ShopModel", "", path: "Examples/Shop/Model"),
    example("ShopLogging", "", path: "Examples/Shop/Logging"),
    example("ShopScreens", "ShopLogging ShopModel", path: "Examples/Shop/Screens"),
    example("ShopStage1", "ShopLogging ShopModel ShopScreens", path: "Examples/Stage1OldOnly"),
    example("ShopStage2", "DualSend ShopLogging ShopModel ShopScreens", path: "Examples/Stage2Wrapped"),
    example("ShopStage3", "DualSend ShopLogging ShopModel ShopScreens", path: "Examples/Stage3RemoteConfigured"),
    example("ShopStage3b", "DualSend ShopLogging ShopModel ShopScreens", path: "Examples/Stage3bDocumentDeleted"),
    example("ShopStage4", "DualSend ShopLogging ShopModel ShopScreens", path: "Examples/Stage4TableStays"),
    example("ShopStage4b", "DualSendTracking ShopModel", path: "Examples/Stage4bRenamed"),
    example("ShopRecipes", "DualSend", path: "Examples/Recipes"),
    .executableTarget(
      name: "ShopRunner",
      dependencies: named(
        """
        DualSend DualSendCollector DualSendCore ShopModel ShopStage1 ShopStage2 ShopStage3 ShopStage3b ShopStage4
        ShopStage4b
        """), path: "Examples/Runner"),
    .testTarget(
      name: "ShopRunnerTests",
      dependencies: named(
        """
        DualSend DualSendCollector DualSendTables ShopModel ShopRecipes ShopRunner ShopStage3 ShopStage3b
        """), path: "Examples/Tests/Runner"),
  ]
}

// MARK: - How a target is declared

/// The package of a product that targets name; `nil` for a target of this package.
func packageOfProduct(_ name: String) -> String? {
  switch name {
  case "ArgumentParser": "swift-argument-parser"
  case "CustomDump": "swift-custom-dump"
  case "GRDB", "GRDBSQLite": "GRDB.swift"
  case "IssueReportingTestSupport": "xctest-dynamic-overlay"
  case "Logging": "swift-log"
  case "Metrics", "MetricsTestKit": "swift-metrics"
  case "NIOConcurrencyHelpers", "NIOCore", "NIOHTTP1", "NIOPosix": "swift-nio"
  case "SwiftOperators", "SwiftParser", "SwiftSyntax": "swift-syntax"
  default: nil
  }
}

/// Targets of this package and products of others, separated by white space.
func named(_ names: String) -> [Target.Dependency] {
  names.split(whereSeparator: \.isWhitespace).map(String.init).map { name in
    packageOfProduct(name).map { .product(name: name, package: $0) } ?? .target(name: name)
  }
}

/// Swift 6, and imports that name their visibility.
func settings() -> [SwiftSetting] {
  [
    .swiftLanguageMode(.v6), .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"), .enableUpcomingFeature("MemberImportVisibility"),
  ]
}

func module(
  _ name: String, _ dependencies: String, and others: [Target.Dependency] = [], path: String? = nil,
  resources: [Resource] = [], exclude: [String] = []
) -> Target {
  .target(
    name: name, dependencies: named(dependencies) + others, path: path ?? "Sources/\(name)", exclude: exclude,
    resources: resources, swiftSettings: settings())
}

func tool(
  _ name: String, _ dependencies: String, and others: [Target.Dependency] = [], resources: [Resource] = [],
  exclude: [String] = []
) -> Target {
  module(
    name, dependencies, and: others, path: "Sources/Tools/\(name)", resources: resources, exclude: exclude)
}

/// A target with the settings of an app.
func example(_ name: String, _ dependencies: String, path: String) -> Target {
  .target(name: name, dependencies: named(dependencies), path: path)
}

func program(
  _ name: String, _ dependencies: String, and others: [Target.Dependency] = [], path: String? = nil
) -> Target {
  .executableTarget(
    name: name, dependencies: named(dependencies) + others, path: path ?? "Sources/\(name)",
    swiftSettings: settings())
}

func tests(_ subject: String, _ dependencies: String, path: String? = nil) -> Target {
  .testTarget(
    name: "\(subject)Tests", dependencies: named(dependencies + " CTestWidth"), path: path ?? "Tests/\(subject)Tests",
    swiftSettings: settings())
}

func toolTests(_ subject: String, _ dependencies: String) -> Target {
  tests(subject, dependencies, path: "Tests/Tools/\(subject)Tests")
}
