/// A view without a body.
@available(iOS 13, macOS 10.15, tvOS 13, watchOS 6, visionOS 1, *)
@MainActor
protocol ViewLeaf {
  func appear(in environment: EnvironmentValues)
}

@available(iOS 13, macOS 10.15, tvOS 13, watchOS 6, visionOS 1, *)
extension ViewLeaf {
  public var body: Never { preconditionFailure("the view has no body") }
}

/// Lets tests show views.
@available(iOS 13, macOS 10.15, tvOS 13, watchOS 6, visionOS 1, *)
@MainActor
public enum ViewTree {
  /// What `Environment` reads: that of the view whose code runs.
  nonisolated(unsafe) static var environment = EnvironmentValues()

  /// Shows a view: every view in it appears once.
  public static func appear(_ view: any View, in environment: EnvironmentValues = EnvironmentValues()) {
    if let leaf = view as? any ViewLeaf { return leaf.appear(in: environment) }
    Self.environment = environment
    appear(view.body, in: environment)
  }
}
