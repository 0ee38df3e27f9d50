// swift-tools-version: 6.1
import PackageDescription

/// The same language rules as the package that is measured.
let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

// A package of its own, so that nobody who depends on DualSend resolves or builds it. It sees what adopters see: the
// public API of the products, nothing more.
let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v13)],
  dependencies: [
    .package(name: "DualSend", path: ".."),
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
        // Brings the loopback collector, which runs in a process of its own.
        .product(name: "DualSendTesting", package: "DualSend"),
        .product(name: "GRDBSQLite", package: "GRDB.swift", condition: .when(platforms: [.linux])),
      ],
      path: "Sources/Benchmarks",
      swiftSettings: settings
    ),
  ]
)
