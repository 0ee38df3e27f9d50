#if !os(watchOS)
  @_exported public import AppleFoundation

  // https://developer.apple.com/documentation/uikit/uiresponder
  @available(iOS 2, tvOS 9, visionOS 1, *)
  @MainActor
  open class UIResponder: NSObject {}

  // https://developer.apple.com/documentation/uikit/uiapplication
  @available(iOS 2, tvOS 9, visionOS 1, *)
  @MainActor
  open class UIApplication: UIResponder {
    // https://developer.apple.com/documentation/uikit/uiapplication/launchoptionskey
    public struct LaunchOptionsKey: RawRepresentable, Hashable, Sendable {
      public let rawValue: String

      public init(rawValue: String) { self.rawValue = rawValue }
    }

    // https://developer.apple.com/documentation/uikit/uiapplication/shared
    @available(iOSApplicationExtension, unavailable)
    @available(tvOSApplicationExtension, unavailable)
    @available(visionOSApplicationExtension, unavailable)
    public class var shared: UIApplication { application }
    fileprivate static let application = UIApplication()

    // https://developer.apple.com/documentation/objectivec/nsobject-swift.class/value(forkeypath:)
    //
    // Of a class. In an app extension `sharedApplication` must not be called.
    nonisolated public class func value(forKeyPath keyPath: String) -> Any? {
      keyPath == "sharedApplication" ? MainActor.assumeIsolated { application } : nil
    }

    // https://developer.apple.com/documentation/uikit/uiapplication/state
    @available(iOS 4, tvOS 9, visionOS 1, *)
    public enum State: Int, Sendable {
      case active
      case inactive
      case background
    }

    // https://developer.apple.com/documentation/uikit/uiapplication/applicationstate
    @available(iOS 4, tvOS 9, visionOS 1, *)
    open var applicationState: State { AppState.current }

    // https://developer.apple.com/documentation/uikit/uiapplication/didenterbackgroundnotification
    @available(iOS 4, tvOS 9, visionOS 1, *)
    public nonisolated class var didEnterBackgroundNotification: NSNotification.Name {
      NSNotification.Name("UIApplicationDidEnterBackgroundNotification")
    }

    // https://developer.apple.com/documentation/uikit/uiapplication/willterminatenotification
    public nonisolated class var willTerminateNotification: NSNotification.Name {
      NSNotification.Name("UIApplicationWillTerminateNotification")
    }
  }

  /// What tests say of the app.
  @MainActor
  public enum AppState {
    public static var current = UIApplication.State.active
  }

  // https://developer.apple.com/documentation/uikit/uiapplicationdelegate
  @available(iOS 2, tvOS 9, visionOS 1, *)
  @MainActor
  public protocol UIApplicationDelegate: NSObjectProtocol {
    // https://developer.apple.com/documentation/uikit/uiapplicationdelegate/application(_:didfinishlaunchingwithoptions:)
    //
    // Optional there, as an implementation by default stands for here.
    @available(iOS 3, tvOS 9, visionOS 1, *)
    func application(
      _ application: UIApplication,
      didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool
  }

  extension UIApplicationDelegate {
    public func application(
      _ application: UIApplication,
      didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]? = nil
    ) -> Bool { true }
  }
#endif
