// swift-tools-version: 6.1
import PackageDescription

/// The same language rules as the package that is attacked.
let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

// A package of its own, so that nobody who depends on DualSend resolves or builds it. `scripts/check fuzz` builds it with the
// compiler's coverage counters in every module and links libFuzzer's runtime. It also enables testing in this release
// build: half of the readers of outside bytes are not public, and each must be reached by itself.
let package = Package(
  name: "Fuzz",
  platforms: [.macOS(.v14)],
  dependencies: [
    .package(name: "DualSend", path: ".."),
    .package(name: "DualSendTools", path: "../Tools"),
    // Only to make the databases that the store is attacked with.
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
  ],
  targets: [
    // Declares the entry points of libFuzzer, which has no Swift interface.
    .target(name: "CLibFuzzer"),
    .executableTarget(
      name: "Fuzz",
      dependencies: [
        "CLibFuzzer",
        .product(name: "DualSend", package: "DualSend"),
        .product(name: "DualSendTables", package: "DualSend"),
        .product(name: "DualSendRolloutTraces", package: "DualSend"),
        .product(name: "DualSendWireFormats", package: "DualSend"),
        .product(name: "DualSendDatabase", package: "DualSendTools"),
        .product(name: "DualSendParity", package: "DualSendTools"),
        .product(name: "DualSendRolloutAnalysis", package: "DualSendTools"),
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      swiftSettings: settings
    ),
  ]
)
