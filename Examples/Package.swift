// swift-tools-version: 6.1
import PackageDescription

let dualSend: Target.Dependency = .product(name: "DualSend", package: "DualSend")
let tracking: Target.Dependency = .product(name: "DualSendTracking", package: "DualSend")

// The migration of a shop. A separate package, which uses DualSend as an app does; `scripts/example` runs every stage with the
// collector, from the root package.
let package = Package(
  name: "Shop",
  platforms: [.iOS(.v16), .macOS(.v13)],
  products: [
    .executable(name: "health", targets: ["HealthExample"]),
    .executable(name: "identity", targets: ["IdentityExample"]),
    .executable(name: "generated", targets: ["Shop"]),
  ],
  dependencies: [
    .package(name: "DualSend", path: "..")
  ],
  targets: [
    // The shop: the same in every stage, without DualSend.
    .target(name: "ShopModel", path: "Shop/Model"),
    .target(name: "ShopLogging", path: "Shop/Logging"),
    .target(name: "ShopScreens", dependencies: ["ShopLogging", "ShopModel"], path: "Shop/Screens"),

    // The changes of the migration, by stage.
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
    .target(
      name: "ShopStage4", dependencies: ["ShopLogging", "ShopModel", "ShopScreens", dualSend], path: "Stage4TableStays"),
    .target(name: "ShopStage4b", dependencies: ["ShopModel", tracking], path: "Stage4bRenamed"),

    // Further recipes: a rollout from an existing configuration service, an app delegate, typed events.
    .target(name: "ShopRecipes", dependencies: [dualSend], path: "Recipes"),

    // Each style of call site, before and after, in one file per style.
    .target(name: "ShopCallSitesBefore", dependencies: ["ShopLogging"], path: "CallSites/Before"),
    .target(name: "ShopCallSites", dependencies: [dualSend, tracking], path: "CallSites/After"),
    // Two separate programs: the system's health metrics, and the user's identity.
    .executableTarget(
      name: "HealthExample",
      dependencies: [tracking, .product(name: "DualSendMetricKit", package: "DualSend")], path: "Health"),
    .executableTarget(name: "IdentityExample", dependencies: [dualSend], path: "Identity"),

    // A shop whose event types the build-tool plugin generates.
    .executableTarget(
      name: "Shop", dependencies: [.product(name: "DualSend", package: "DualSend")], path: "Generated",
      plugins: [.plugin(name: "DualSendGeneratorPlugin", package: "DualSend")]),

    // What test doubles share.
    .target(name: "ExampleSupport", path: "Tests/Support"),
    .testTarget(
      name: "ShopRecipesTests",
      dependencies: [
        "ExampleSupport", "ShopRecipes", dualSend, .product(name: "DualSendTesting", package: "DualSend"),
      ],
      path: "Tests/Recipes"),
    .testTarget(
      name: "ShopCallSitesTests",
      dependencies: [
        "ShopCallSites", dualSend, .product(name: "DualSendTesting", package: "DualSend"),
      ],
      path: "Tests/CallSites"),
    .testTarget(
      name: "HealthExampleTests",
      dependencies: [
        "ExampleSupport", "HealthExample", tracking, .product(name: "DualSendMetricKit", package: "DualSend"),
      ],
      path: "Tests/Health"),
    .testTarget(
      name: "IdentityExampleTests", dependencies: ["ExampleSupport", "IdentityExample", dualSend],
      path: "Tests/Identity"),
  ]
)
