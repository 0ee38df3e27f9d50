// swift-tools-version: 6.1
import PackageDescription

/// What the build system tells the compiler the attacked package is called: its folder's name as an identifier.
let attackedPackage = Context.packageDirectory.split(separator: "/").dropLast().last
  .map { String($0.lowercased().map { $0.isLetter || $0.isNumber ? $0 : "_" }) }

/// The same language rules as the package that is attacked.
///
/// Its name is given to the compiler too, because half of the readers of outside bytes are `package`: they must be
/// reached one by one, and none of them becomes public for that.
let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .unsafeFlags(["-package-name", attackedPackage ?? "dualsend"]),
]

// A package of its own, so that nobody who depends on DualSend resolves or builds it. `scripts/fuzz` builds it with the
// compiler's coverage counters in every module and links libFuzzer's runtime.
let package = Package(
  name: "Fuzz",
  platforms: [.macOS(.v13)],
  dependencies: [
    .package(name: "DualSend", path: ".."),
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
        .product(name: "Parity", package: "DualSend"),
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      packageAccess: false,
      swiftSettings: settings
    ),
  ]
)
