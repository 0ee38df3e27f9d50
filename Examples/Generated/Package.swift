// swift-tools-version: 6.1
import PackageDescription

// A shop whose events are written by the build-tool plugin: `swift run` here. A package of its own, because an app that
// uses the plugin resolves nothing for it. It checks no signed rollouts, so it leaves swift-crypto out.
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
