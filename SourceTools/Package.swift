// swift-tools-version: 6.1
import PackageDescription

/// The same language rules as the package that apps link.
let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let remapping: Target.Dependency = .product(name: "DualSendRemapping", package: "DualSend")
let commandLine: Target.Dependency = .product(name: "DualSendCommandLine", package: "DualSendTools")
let inventory: Target.Dependency = .product(name: "DualSendInventory", package: "DualSendTools")
let syntax: Target.Dependency = .product(name: "SwiftSyntax", package: "swift-syntax")
let parser: Target.Dependency = .product(name: "SwiftParser", package: "swift-syntax")

// What reads and changes an app's sources. A package of its own, for swift-syntax takes minutes to build and nobody else
// should wait for it; `scripts/dualsend` finds its verbs.
let package = Package(
  name: "DualSendSourceTools",
  platforms: [.macOS(.v14)],
  products: [
    .executable(name: "dualsend-source", targets: ["DualSendSourceTool"]),
    .executable(name: "dualsend-source-benchmark", targets: ["DualSendSourceBenchmark"]),
  ],
  dependencies: [
    .package(name: "DualSend", path: ".."),
    .package(name: "DualSendTools", path: "../Tools"),
    .package(url: "https://github.com/swiftlang/swift-syntax", exact: "603.0.1"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
  ],
  targets: [
    // What an app's sources can log, worked out without a compiler.
    .target(
      name: "DualSendSource",
      dependencies: [
        remapping, inventory, parser, syntax,
        .product(name: "SwiftOperators", package: "swift-syntax"),
      ],
      swiftSettings: settings
    ),
    // The two changes: wrap the old logger, and finish with the new tracker.
    .target(
      name: "DualSendRewriting",
      dependencies: [
        "DualSendSource", remapping, inventory, parser, syntax,
        .product(name: "DualSendCodeGeneration", package: "DualSend"),
      ],
      swiftSettings: settings
    ),
    // The verbs.
    .target(
      name: "DualSendSourceCommands",
      dependencies: [
        "DualSendRewriting", "DualSendSource", commandLine, remapping, inventory,
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: settings
    ),
    .executableTarget(
      name: "DualSendSourceTool", dependencies: ["DualSendSourceCommands", commandLine, remapping],
      swiftSettings: settings),
    // Times an inventory; see `scripts/benchmark sources`.
    .executableTarget(
      name: "DualSendSourceBenchmark", dependencies: ["DualSendSource", inventory, parser, syntax],
      path: "Benchmarks/DualSendSourceBenchmark", swiftSettings: settings),

    .testTarget(
      name: "DualSendSourceTests",
      dependencies: ["DualSendSource", "DualSendRewriting", inventory, remapping, parser, syntax],
      swiftSettings: settings),
    .testTarget(
      name: "DualSendRewritingTests",
      dependencies: [
        "DualSendRewriting", "DualSendSource", parser, remapping, syntax,
        .product(name: "DualSendConformance", package: "DualSend"),
      ],
      swiftSettings: settings),
    // The tests run the built command, too.
    .testTarget(
      name: "DualSendSourceCommandsTests",
      dependencies: ["DualSendSourceCommands", "DualSendSourceTool", commandLine, remapping, inventory],
      swiftSettings: settings),
  ]
)
