#if !os(watchOS)
  @_exported public import AppleFoundation

  // https://developer.apple.com/documentation/uikit/uiresponder
  @MainActor
  open class UIResponder: NSObject {}

  // https://developer.apple.com/documentation/uikit/uiapplication
  @MainActor
  open class UIApplication: UIResponder {
    // https://developer.apple.com/documentation/uikit/uiapplication/launchoptionskey
    public struct LaunchOptionsKey: RawRepresentable, Hashable, Sendable {
      public let rawValue: String

      public init(rawValue: String) { self.rawValue = rawValue }
    }

    // https://developer.apple.com/documentation/uikit/uiapplication/shared
    public class var shared: UIApplication { application }
    private static let application = UIApplication()

    // https://developer.apple.com/documentation/objectivec/nsobject-swift.class/value(forkeypath:)
    //
    // Of a class. In an app extension `sharedApplication` must not be called.
    public class func value(forKeyPath keyPath: String) -> Any? {
      keyPath == "sharedApplication" ? shared : nil
    }

    // https://developer.apple.com/documentation/uikit/uiapplication/state
    public enum State: Int, Sendable {
      case active
      case inactive
      case background
    }

    // https://developer.apple.com/documentation/uikit/uiapplication/applicationstate
    public var applicationState = State.active

    // https://developer.apple.com/documentation/uikit/uiapplication/didenterbackgroundnotification
    public nonisolated class var didEnterBackgroundNotification: NSNotification.Name {
      NSNotification.Name("UIApplicationDidEnterBackgroundNotification")
    }

    // https://developer.apple.com/documentation/uikit/uiapplication/willterminatenotification
    public nonisolated class var willTerminateNotification: NSNotification.Name {
      NSNotification.Name("UIApplicationWillTerminateNotification")
    }
  }

  // https://developer.apple.com/documentation/uikit/uiapplicationdelegate
  @MainActor
  public protocol UIApplicationDelegate: NSObjectProtocol {
    // https://developer.apple.com/documentation/uikit/uiapplicationdelegate/application(_:didfinishlaunchingwithoptions:)
    func application(
      _ application: UIApplication,
      didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool
  }

  extension UIApplicationDelegate {
    public func application(
      _ application: UIApplication, didFinishLaunchingWithOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool { true }
  }
#endif
