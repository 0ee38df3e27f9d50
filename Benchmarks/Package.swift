// swift-tools-version: 6.1
import PackageDescription

/// The same language rules as the package that is measured.
let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

// A package of its own, so that nobody who depends on DualSend resolves or builds it. It sees what adopters see, and
// what the tools see where a part is measured alone.
let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v14)],
  dependencies: [
    .package(name: "DualSend", path: ".."),
    .package(name: "DualSendTools", path: "../Tools"),
    // Only for SQLite itself: the plain C calls that the store is compared with.
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
  ],
  targets: [
    // Counts allocations, which no Swift API does.
    .target(name: "CAllocations"),
    .executableTarget(
      name: "benchmarks",
      dependencies: [
        "CAllocations",
        .product(name: "DualSend", package: "DualSend"),
        .product(name: "DualSendCodeGeneration", package: "DualSend"),
        // Answers on loopback, in a process of its own.
        .product(name: "DualSendCollector", package: "DualSendTools"),
        // The transport of the command `dualsend`: Linux's `URLSession` would be what is measured.
        .product(name: "DualSendHTTPClient", package: "DualSendTools"),
        .product(name: "DualSendRolloutAnalysis", package: "DualSendTools"),
        .product(name: "GRDBSQLite", package: "GRDB.swift", condition: .when(platforms: [.linux])),
      ],
      path: "Sources/Benchmarks",
      swiftSettings: settings
    ),
  ]
)
