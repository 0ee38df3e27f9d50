// swift-tools-version: 6.1
import PackageDescription

// Stand-ins for Apple's frameworks, with only the declarations that this repository uses. `scripts/check apple` compiles
// the code behind `canImport` and `os` against them on Linux. No other package depends on this one.
//
// A framework has a folder of its name in `Sources`. Each declaration names the page of Apple's documentation that it was
// written from, and has its `@available`. The check compiles for macOS 13 as it does for iOS 16, so `macOS` in an
// `@available` is the release that came with the others; what macOS does not have is behind `#if !os(macOS)`. A property
// newer than that is computed, because a stored one must not be newer than the target. What a test can say of the system stands beside them, in types of our own (`Keychain`, `NetworkPaths`, …).
// The script compiles each target for each system that has a module of its name.
let package = Package(
  name: "AppleStubs",
  dependencies: [.package(url: "https://github.com/apple/swift-crypto", from: "4.5.2")],
  targets: [
    // What Apple's Foundation has besides swift-corelibs-foundation.
    .target(name: "AppleCoreFoundation"),
    .target(name: "AppleFoundation", dependencies: ["AppleCoreFoundation"]),

    .target(name: "CryptoKit", dependencies: [.product(name: "Crypto", package: "swift-crypto")]),
    .target(name: "Darwin"),
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
