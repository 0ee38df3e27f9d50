// swift-tools-version: 6.1
import PackageDescription

// A reading app that grew for years before it meets DualSend: 300 call sites in ten styles, for the commands that read and
// rewrite sources. A copy of this folder builds anywhere when DUALSEND_PATH says where DualSend is.
let package = Package(
  name: "Newsstand",
  platforms: [.iOS(.v16), .macOS(.v13)],
  products: [.executable(name: "newsstand", targets: ["Newsstand"])],
  dependencies: [
    .package(name: "DualSend", path: Context.environment["DUALSEND_PATH"] ?? "../..", traits: [])
  ],
  targets: [
    .executableTarget(name: "Newsstand", dependencies: [.product(name: "DualSend", package: "DualSend")])
  ]
)
