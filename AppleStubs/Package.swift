// swift-tools-version: 6.1
import PackageDescription

// Stand-ins for Apple's frameworks, with only the declarations that this repository uses. `scripts/check apple` compiles
// the code behind `canImport` and `os` against them on Linux. No other package depends on this one.
//
// A framework has a folder of its name in `Sources`. Each declaration names the page of Apple's documentation that it was
// written from. What a test can say of the system stands beside them, in types of our own (`Keychain`, `NetworkPaths`, …).
// The script compiles each target for each system that has a module of its name.
let package = Package(
  name: "AppleStubs",
  dependencies: [.package(url: "https://github.com/apple/swift-crypto", from: "4.5.2")],
  targets: [
    // What Apple's Foundation has besides swift-corelibs-foundation.
    .target(name: "AppleCoreFoundation"),
    .target(name: "AppleFoundation", dependencies: ["AppleCoreFoundation"]),

    .target(name: "CryptoKit", dependencies: [.product(name: "Crypto", package: "swift-crypto")]),
    // As C: a global variable is no error.
    .target(name: "Darwin", swiftSettings: [.swiftLanguageMode(.v5)]),
    .target(name: "MetricKit"),
    .target(name: "Musl"),
    .target(name: "Network"),
    .target(name: "Security", dependencies: ["AppleCoreFoundation"]),
    .target(name: "SwiftUI"),
    .target(name: "UIKit", dependencies: ["AppleFoundation"]),
    .target(name: "XcodeProjectPlugin"),
    .target(name: "os"),
  ]
)
