// swift-tools-version: 6.1
import PackageDescription

/// Every target speaks Swift 6 and names its imports' visibility; nothing here needs `unsafeFlags`.
let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "DualSend",
  platforms: [.iOS(.v16), .macOS(.v13), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
  products: [
    .library(name: "DualSend", targets: ["DualSend"]),
    .library(name: "Tracking", targets: ["Tracking"]),
    .library(name: "Parity", targets: ["Parity"]),
    .library(name: "DualSendTesting", targets: ["DualSendTesting"]),
    .executable(name: "dualsend", targets: ["DualSendTool"]),
  ],
  dependencies: [
    // The event store: migrations, typed errors, WAL handling.
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    // The library's own diagnostics; the app chooses the backend.
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    // Drop and retry counters for apps that already export metrics.
    .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
    // Ed25519 for signed rollout documents, where the system has no CryptoKit. Tracking does not depend on it.
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
    // The command line.
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    // The loopback collector and config server of the demo and the tests.
    .package(url: "https://github.com/swhitty/FlyingFox", from: "0.27.1"),
    // HTTP on Linux, where URLSession loses requests; see HTTPClientTransport. Apple platforms build none of it.
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.26.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.81.0"),
    // Readable differences in tests.
    .package(url: "https://github.com/pointfreeco/swift-custom-dump", from: "1.7.3"),
    // What makes those differences fail a test: swift-custom-dump reports through it.
    .package(url: "https://github.com/pointfreeco/xctest-dynamic-overlay", from: "1.13.1"),
  ],
  targets: [
    // zlib has no Swift wrapper among the packages this one may depend on; the system's own is everywhere.
    .systemLibrary(
      name: "CZlib",
      pkgConfig: "zlib",
      providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]
    ),

    .target(name: "EventModel", swiftSettings: settings),
    .target(
      name: "Platform",
      dependencies: [
        "CZlib", "EventModel",
        .product(name: "AsyncHTTPClient", package: "async-http-client", condition: .when(platforms: [.linux])),
        .product(name: "NIOCore", package: "swift-nio", condition: .when(platforms: [.linux])),
        .product(name: "NIOHTTP1", package: "swift-nio", condition: .when(platforms: [.linux])),
        .product(name: "NIOPosix", package: "swift-nio", condition: .when(platforms: [.linux])),
      ],
      swiftSettings: settings
    ),
    .target(name: "KeyRemapping", dependencies: ["EventModel"], swiftSettings: settings),
    .target(
      name: "Rollout",
      dependencies: [
        "EventModel", "Platform",
        .product(
          name: "Crypto", package: "swift-crypto",
          condition: .when(platforms: [.linux, .android, .windows, .wasi])),
      ],
      resources: [.copy("Identity/PrivacyInfo.xcprivacy")],
      swiftSettings: settings
    ),
    .target(
      name: "Tracking",
      dependencies: [
        "EventModel", "Platform",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "Metrics", package: "swift-metrics"),
      ],
      swiftSettings: settings
    ),
    .target(name: "DualSend", dependencies: ["KeyRemapping", "Rollout", "Tracking"], swiftSettings: settings),
    .target(name: "Parity", dependencies: ["DualSend", "Platform"], swiftSettings: settings),
    .target(
      name: "Collector",
      dependencies: [
        "EventModel", "Platform",
        .product(name: "FlyingFox", package: "FlyingFox"),
      ],
      swiftSettings: settings
    ),
    .target(name: "DualSendTesting", dependencies: ["DualSend", "Collector"], swiftSettings: settings),
    .target(
      name: "DualSendCommands",
      dependencies: [
        "Collector", "DualSend", "DualSendTesting", "Parity",
        .product(name: "Logging", package: "swift-log"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: settings
    ),
    // Not named `dualsend`: beside `DualSend` it would be the same folder on a case-insensitive file system.
    .executableTarget(name: "DualSendTool", dependencies: ["DualSendCommands"], swiftSettings: settings),

    testTarget("EventModel", "Platform"),
    testTarget("Platform"),
    testTarget("KeyRemapping"),
    testTarget("Rollout", "Collector", "DualSendTesting"),
    testTarget(
      "Tracking", "Collector", "DualSendTesting",
      .product(name: "Metrics", package: "swift-metrics"), .product(name: "MetricsTestKit", package: "swift-metrics")),
    testTarget("DualSend", "Collector", "DualSendTesting"),
    testTarget("Parity", "DualSendTesting"),
    testTarget("Collector"),
    testTarget("DualSendTesting"),
    testTarget("DualSendCommands", "DualSendTesting"),

    // The process that the fault tests kill; no product of its own.
    .executableTarget(
      name: "CrashChild",
      dependencies: ["EventModel", "Platform", "Tracking", .product(name: "Logging", package: "swift-log")],
      path: "Tests/CrashChild",
      swiftSettings: settings
    ),
    // A SQLite VFS whose writes fail on demand: only C can hand SQLite its function tables.
    .target(name: "FaultingVFS", path: "Tests/FaultingVFS", linkerSettings: [.linkedLibrary("sqlite3")]),
    .testTarget(
      name: "FaultTests",
      dependencies: [
        "Collector", "CrashChild", "DualSendTesting", "EventModel", "FaultingVFS", "Platform", "Tracking",
        .product(name: "Logging", package: "swift-log"),
        .product(name: "CustomDump", package: "swift-custom-dump"),
        .product(name: "IssueReportingTestSupport", package: "xctest-dynamic-overlay"),
      ],
      swiftSettings: settings
    ),
  ]
)

func testTarget(_ subject: String, _ others: Target.Dependency...) -> Target {
  .testTarget(
    name: subject + "Tests",
    dependencies: [.target(name: subject)] + others + [
      .product(name: "CustomDump", package: "swift-custom-dump"),
      .product(name: "IssueReportingTestSupport", package: "xctest-dynamic-overlay"),
    ],
    swiftSettings: settings
  )
}
