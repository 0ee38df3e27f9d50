// swift-tools-version: 6.1
import PackageDescription

// A reading app with 300 call sites in ten styles, as an example for the commands that read sources. To build a
// copy of this folder elsewhere, set DUALSEND_PATH to the path of DualSend; the trait is then that of the repository's other
// builds, which share a folder.
let package = Package(
  name: "Newsstand",
  platforms: [.iOS(.v16), .macOS(.v13)],
  products: [.executable(name: "newsstand", targets: ["Newsstand"])],
  dependencies: [
    .package(
      name: "DualSend", path: Context.environment["DUALSEND_PATH"] ?? "../..",
      traits: Context.environment["DUALSEND_PATH"] == nil ? [] : ["SwiftCrypto"])
  ],
  targets: [
    .executableTarget(name: "Newsstand", dependencies: [.product(name: "DualSend", package: "DualSend")])
  ]
)
