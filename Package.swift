// swift-tools-version: 6.1
import PackageDescription

/// Every target speaks Swift 6 and names its imports' visibility; nothing here needs `unsafeFlags`.
let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// swift-custom-dump reports a difference through the other, which makes it fail the test.
let readableDifferences: [Target.Dependency] = [
  .product(name: "CustomDump", package: "swift-custom-dump"),
  .product(name: "IssueReportingTestSupport", package: "xctest-dynamic-overlay"),
]

// What an app links, and nothing else. The commands, the collector and everything else that people run stand in `Tools`,
// a package of its own: an app resolves three packages for this one, not those that a command line or a server needs.
let package = Package(
  name: "DualSend",
  platforms: [.iOS(.v16), .macOS(.v13), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
  products: [
    // The modules behind `DualSend` are named too, so that `Tools` declares what it imports.
    .library(
      name: "DualSend",
      targets: ["DualSend", "DualSendCore", "DualSendRemapping", "DualSendRollout", "DualSendTracking"]),
    // Without the tracker: what reads tables and sources builds neither SQLite's wrapper nor a cipher.
    .library(name: "DualSendRemapping", targets: ["DualSendRemapping", "DualSendCore"]),
    // What only tools ask of tables. A module of its own, so that no app carries it.
    .library(name: "DualSendTables", targets: ["DualSendTables"]),
    .library(name: "DualSendTracking", targets: ["DualSendTracking", "DualSendCore"]),
    // What other collectors speak; brings nothing along that the tracker does not.
    .library(name: "DualSendWireFormats", targets: ["DualSendWireFormats"]),
    // Signed rollouts where the system has no CryptoKit; see the trait.
    .library(name: "DualSendSignatures", targets: ["DualSendSignatures"]),
    .library(name: "DualSendMetricKit", targets: ["DualSendMetricKit"]),
    .library(name: "DualSendTesting", targets: ["DualSendTesting"]),
    // Reads the cases of `Fixtures/conformance`, for tests and for `dualsend conformance`.
    .library(name: "DualSendConformance", targets: ["DualSendConformance"]),
    // Code from a specification of events: at build time by the plugin, which brings no package along, or as a library.
    .plugin(name: "DualSendGeneratorPlugin", targets: ["DualSendGeneratorPlugin"]),
    .library(name: "DualSendCodeGeneration", targets: ["DualSendCodeGeneration"]),
  ],
  traits: [
    .trait(
      name: "SwiftCrypto",
      description: "Gives DualSendSignatures swift-crypto, which checks signed rollouts where there is no CryptoKit.")
  ],
  dependencies: [
    // The event store: migrations, typed errors, WAL handling.
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    // The library's own diagnostics; the app chooses the backend.
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    // Drop and retry counters for apps that already export metrics.
    .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
    // Ed25519 for signed rollout documents, where the system has no CryptoKit. Only the trait `SwiftCrypto` resolves it.
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    // Readable differences in this package's own tests; SwiftPM resolves neither for an app.
    .package(url: "https://github.com/pointfreeco/swift-custom-dump", from: "1.7.3"),
    .package(url: "https://github.com/pointfreeco/xctest-dynamic-overlay", from: "1.13.1"),
  ],
  targets: [
    // zlib has no Swift wrapper among the packages this one may depend on; the system's own is everywhere. Without
    // `pkgConfig`, which would give Homebrew's folder to the linker for every Apple platform.
    .systemLibrary(name: "DualSendCZlib"),

    .target(name: "DualSendCore", dependencies: ["DualSendCZlib"], swiftSettings: settings),
    .target(name: "DualSendRemapping", dependencies: ["DualSendCore"], swiftSettings: settings),
    .target(
      name: "DualSendTables", dependencies: ["DualSendCore", "DualSendRemapping"], swiftSettings: settings),
    .target(
      name: "DualSendConformance", dependencies: ["DualSendCore"], path: "Tests/DualSendConformance",
      swiftSettings: settings),
    .target(
      name: "DualSendRollout",
      dependencies: [
        "DualSendCore",
        .product(name: "Logging", package: "swift-log"),
      ],
      resources: [.copy("Storage/PrivacyInfo.xcprivacy")],
      swiftSettings: settings
    ),
    // Beside `DualSendRollout`, not in it: what links no signatures builds no cipher.
    .target(
      name: "DualSendSignatures",
      dependencies: [
        "DualSendRollout",
        .product(
          name: "Crypto", package: "swift-crypto",
          condition: .when(platforms: [.linux, .android, .windows, .wasi], traits: ["SwiftCrypto"])),
      ],
      swiftSettings: settings),
    .target(
      name: "DualSendTracking",
      dependencies: [
        "DualSendCore",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "Metrics", package: "swift-metrics"),
      ],
      resources: [.copy("Store/PrivacyInfo.xcprivacy")],
      swiftSettings: settings
    ),
    .target(
      name: "DualSendWireFormats", dependencies: ["DualSendCore", "DualSendTracking"], swiftSettings: settings),
    .target(
      name: "DualSend",
      dependencies: [
        "DualSendCore", "DualSendRemapping", "DualSendRollout", "DualSendTracking",
        .product(name: "Logging", package: "swift-log"),
        .product(name: "Metrics", package: "swift-metrics"),
      ],
      swiftSettings: settings
    ),
    .target(
      name: "DualSendMetricKit",
      dependencies: ["DualSendCore", "DualSendTracking"],
      resources: [.copy("Reporter/PrivacyInfo.xcprivacy")],
      swiftSettings: settings
    ),
    .target(
      name: "DualSendTesting",
      dependencies: ["DualSend", "DualSendCore", "DualSendRollout", "DualSendTables", "DualSendTracking"],
      swiftSettings: settings
    ),
    .target(name: "DualSendCodeGeneration", dependencies: ["DualSendCore"], swiftSettings: settings),
    // Neither argument-parser nor anything else: apps that use the plugin build this.
    .executableTarget(
      name: "DualSendGenerator", dependencies: ["DualSendCodeGeneration", "DualSendCore"], swiftSettings: settings),
    .plugin(
      name: "DualSendGeneratorPlugin", capability: .buildTool(), dependencies: ["DualSendGenerator"],
      path: "Plugins/DualSendGeneratorPlugin"),

    testTarget("DualSendCore", and: readableDifferences),
    testTarget("DualSendRemapping", "DualSendConformance", "DualSendCore", "DualSendTables"),
    testTarget(
      "DualSendRollout", "DualSendConformance", "DualSendCore", "DualSendTesting",
      .product(name: "Logging", package: "swift-log")),
    testTarget(
      "DualSendTracking", "DualSendCore", "DualSendTesting",
      .product(name: "GRDB", package: "GRDB.swift"),
      .product(name: "Logging", package: "swift-log"),
      .product(name: "Metrics", package: "swift-metrics"),
      .product(name: "MetricsTestKit", package: "swift-metrics"),
      and: readableDifferences),
    testTarget(
      "DualSend", "DualSendCore", "DualSendMetricKit", "DualSendRemapping", "DualSendRollout", "DualSendTesting",
      "DualSendTracking", "DualSendWireFormats", .product(name: "Logging", package: "swift-log"),
      and: readableDifferences),
    testTarget("DualSendCodeGeneration", "DualSend", "DualSendCore"),
    testTarget("DualSendMetricKit", "DualSend", "DualSendCore", "DualSendTesting", "DualSendTracking"),
    testTarget("DualSendWireFormats", "DualSendCore", "DualSendTesting", "DualSendTracking", and: readableDifferences),
    testTarget("DualSendTesting", "DualSend", "DualSendCore", "DualSendRemapping", "DualSendRollout"),
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
