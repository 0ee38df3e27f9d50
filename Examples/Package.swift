// swift-tools-version: 6.1
import PackageDescription

let dualSend: Target.Dependency = .product(name: "DualSend", package: "DualSend")
let tracking: Target.Dependency = .product(name: "DualSendTracking", package: "DualSend")

// A shop that migrates: `scripts/example` builds it and runs every stage. A package of its own, which sees of DualSend
// what an app sees; only the runner and the tests see its tools.
let package = Package(
  name: "Shop",
  platforms: [.iOS(.v16), .macOS(.v14)],
  products: [
    .executable(name: "shop", targets: ["ShopRunner"]),
    .executable(name: "health", targets: ["HealthExample"]),
    .executable(name: "identity", targets: ["IdentityExample"]),
  ],
  dependencies: [
    .package(name: "DualSend", path: ".."),
    .package(name: "DualSendTools", path: "../Tools"),
  ],
  targets: [
    // The shop itself: the same in every stage, and without any trace of DualSend.
    .target(name: "ShopModel", path: "Shop/Model"),
    .target(name: "ShopLogging", path: "Shop/Logging"),
    .target(name: "ShopScreens", dependencies: ["ShopLogging", "ShopModel"], path: "Shop/Screens"),

    // What the migration changes, stage by stage.
    .target(
      name: "ShopStage1", dependencies: ["ShopLogging", "ShopModel", "ShopScreens"], path: "Stage1OldOnly"),
    .target(
      name: "ShopStage2", dependencies: ["ShopLogging", "ShopModel", "ShopScreens", dualSend], path: "Stage2Wrapped"),
    .target(
      name: "ShopStage3", dependencies: ["ShopLogging", "ShopModel", "ShopScreens", dualSend],
      path: "Stage3RemoteConfigured"),
    .target(
      name: "ShopStage3b", dependencies: ["ShopLogging", "ShopModel", "ShopScreens", dualSend],
      path: "Stage3bDocumentDeleted"),
    .target(name: "ShopStage4", dependencies: ["ShopModel", tracking], path: "Stage4Finished"),

    // What an app may need beside: a rollout from a channel that it already has, an app delegate, typed events.
    .target(name: "ShopRecipes", dependencies: [dualSend], path: "Recipes"),

    // Each style of call site, before and after; one file a style.
    .target(name: "ShopCallSitesBefore", dependencies: ["ShopLogging"], path: "CallSites/Before"),
    .target(name: "ShopCallSites", dependencies: [dualSend, tracking], path: "CallSites/After"),
    // Two things beside the migration, each a program of its own: the system's health metrics, and who is signed in.
    .executableTarget(
      name: "HealthExample",
      dependencies: [tracking, .product(name: "DualSendMetricKit", package: "DualSend")], path: "Health"),
    .executableTarget(name: "IdentityExample", dependencies: [dualSend], path: "Identity"),

    // Runs the stages in turn against a collector on this machine, and counts.
    .executableTarget(
      name: "ShopRunner",
      dependencies: [
        "ShopModel", "ShopStage1", "ShopStage2", "ShopStage3", "ShopStage3b", "ShopStage4", dualSend,
        .product(name: "DualSendCollector", package: "DualSendTools"),
      ],
      path: "Runner"
    ),

    .testTarget(
      name: "ShopRecipesTests",
      dependencies: ["ShopRecipes", dualSend, .product(name: "DualSendTesting", package: "DualSend")],
      path: "Tests/Recipes"),
    .testTarget(
      name: "ShopCallSitesTests",
      dependencies: [
        "ShopCallSites", dualSend, .product(name: "DualSendTesting", package: "DualSend"),
      ],
      path: "Tests/CallSites"),
    .testTarget(
      name: "HealthExampleTests",
      dependencies: ["HealthExample", tracking, .product(name: "DualSendMetricKit", package: "DualSend")],
      path: "Tests/Health"),
    .testTarget(name: "IdentityExampleTests", dependencies: ["IdentityExample", dualSend], path: "Tests/Identity"),
    .testTarget(
      name: "ShopRunnerTests",
      dependencies: [
        "ShopModel", "ShopRunner", "ShopStage3", "ShopStage3b", dualSend,
        .product(name: "DualSendCollector", package: "DualSendTools"),
      ],
      path: "Tests/Runner"),
  ]
)
