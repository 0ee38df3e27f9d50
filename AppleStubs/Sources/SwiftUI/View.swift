// https://developer.apple.com/documentation/swiftui/view
@available(iOS 13, macOS 10.15, tvOS 13, watchOS 6, visionOS 1, *)
@MainActor @preconcurrency
public protocol View {
  associatedtype Body: View

  @ViewBuilder @MainActor @preconcurrency var body: Body { get }
}

// https://developer.apple.com/documentation/swiftui/viewbuilder
@available(iOS 13, macOS 10.15, tvOS 13, watchOS 6, visionOS 1, *)
@resultBuilder
public enum ViewBuilder {
  public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
  public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
}

@available(iOS 13, macOS 10.15, tvOS 13, watchOS 6, visionOS 1, *)
extension Never: View {
  public var body: Never { self }
}

// https://developer.apple.com/documentation/swiftui/emptyview
@available(iOS 13, macOS 10.15, tvOS 13, watchOS 6, visionOS 1, *)
public struct EmptyView: View, ViewLeaf {
  nonisolated public init() {}

  func appear(in environment: EnvironmentValues) {}
}

// https://developer.apple.com/documentation/swiftui/viewmodifier
@available(iOS 13, macOS 10.15, tvOS 13, watchOS 6, visionOS 1, *)
@MainActor @preconcurrency
public protocol ViewModifier {
  associatedtype Body: View
  typealias Content = _ViewModifier_Content<Self>

  @ViewBuilder @MainActor @preconcurrency func body(content: Content) -> Body
}

// https://developer.apple.com/documentation/swiftui/viewmodifier/content
@available(iOS 13, macOS 10.15, tvOS 13, watchOS 6, visionOS 1, *)
public struct _ViewModifier_Content<Modifier: ViewModifier>: View, ViewLeaf {
  let content: any View

  func appear(in environment: EnvironmentValues) { ViewTree.appear(content, in: environment) }
}

// https://developer.apple.com/documentation/swiftui/modifiedcontent
@available(iOS 13, macOS 10.15, tvOS 13, watchOS 6, visionOS 1, *)
public struct ModifiedContent<Content, Modifier> {
  let content: Content
  let modifier: Modifier
}

@available(iOS 13, macOS 10.15, tvOS 13, watchOS 6, visionOS 1, *)
extension ModifiedContent: View, ViewLeaf where Content: View, Modifier: ViewModifier {
  public typealias Body = Never

  func appear(in environment: EnvironmentValues) {
    ViewTree.environment = environment
    ViewTree.appear(modifier.body(content: _ViewModifier_Content(content: content)), in: environment)
  }
}

@available(iOS 13, macOS 10.15, tvOS 13, watchOS 6, visionOS 1, *)
extension View {
  // https://developer.apple.com/documentation/swiftui/view/onappear(perform:)
  nonisolated public func onAppear(perform action: (() -> Void)? = nil) -> some View {
    AppearanceView(content: self, action: action)
  }

  // https://developer.apple.com/documentation/swiftui/view/environment(_:_:)
  nonisolated public func environment<V>(_ keyPath: WritableKeyPath<EnvironmentValues, V>, _ value: V) -> some View {
    EnvironmentView(content: self, keyPath: keyPath, value: value)
  }

  // https://developer.apple.com/documentation/swiftui/view/modifier(_:)
  nonisolated public func modifier<T>(_ modifier: T) -> ModifiedContent<Self, T> {
    ModifiedContent(content: self, modifier: modifier)
  }
}

@available(iOS 13, macOS 10.15, tvOS 13, watchOS 6, visionOS 1, *)
private struct AppearanceView<Content: View>: View, ViewLeaf {
  nonisolated(unsafe) let content: Content
  nonisolated(unsafe) let action: (() -> Void)?

  nonisolated init(content: Content, action: (() -> Void)?) {
    self.content = content
    self.action = action
  }

  func appear(in environment: EnvironmentValues) {
    ViewTree.appear(content, in: environment)
    ViewTree.environment = environment
    action?()
  }
}

@available(iOS 13, macOS 10.15, tvOS 13, watchOS 6, visionOS 1, *)
private struct EnvironmentView<Content: View, Value>: View, ViewLeaf {
  nonisolated(unsafe) let content: Content
  nonisolated(unsafe) let keyPath: WritableKeyPath<EnvironmentValues, Value>
  nonisolated(unsafe) let value: Value

  nonisolated init(content: Content, keyPath: WritableKeyPath<EnvironmentValues, Value>, value: Value) {
    self.content = content
    self.keyPath = keyPath
    self.value = value
  }

  func appear(in environment: EnvironmentValues) {
    var environment = environment
    environment[keyPath: keyPath] = value
    ViewTree.appear(content, in: environment)
  }
}
