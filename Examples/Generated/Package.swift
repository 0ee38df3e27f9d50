// swift-tools-version: 6.1
import PackageDescription

// A shop whose event types the build-tool plugin generates. Run it with `swift run` in this folder. A separate package,
// which shows that the plugin adds no dependencies. It needs no signed rollouts, so it leaves swift-crypto out.
let package = Package(
  name: "GeneratedShop",
  platforms: [.iOS(.v16), .macOS(.v13)],
  dependencies: [.package(name: "DualSend", path: "../..", traits: [])],
  targets: [
    .executableTarget(
      name: "Shop", dependencies: [.product(name: "DualSend", package: "DualSend")],
      plugins: [.plugin(name: "DualSendGeneratorPlugin", package: "DualSend")])
  ]
)
