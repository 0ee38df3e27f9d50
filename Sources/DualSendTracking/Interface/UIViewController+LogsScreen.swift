#if canImport(UIKit) && !os(watchOS)
  import Logging
  public import UIKit

  extension UIViewController {
    /// Logs a ``ScreenView`` each time this controller's view appears. Call it once, in `viewDidLoad()`:
    ///
    /// ```swift
    /// logsScreen("Top", with: logger)
    /// ```
    ///
    /// An invisible child controller observes the appearances; nothing is swizzled.
    ///
    /// Has no effect on a container of UIKit, such as a `UINavigationController`, whose children are what it shows: the
    /// child would be one of its screens. Logs a warning there. Call it on the controllers that the container shows.
    public func logsScreen(_ screen: String, with logger: any EventLogging) {
      guard !isContainerOfUIKit else {
        return Logger(label: "dualsend.tracker").warning(
          "logsScreen has no effect on a \(type(of: self)): call it on the controllers that it shows")
      }
      let observer = AppearanceObserver { logger.log(ScreenView(screen)) }
      addChild(observer)
      observer.view.isHidden = true
      observer.view.isUserInteractionEnabled = false
      observer.view.isAccessibilityElement = false
      observer.view.frame = .zero
      view.insertSubview(observer.view, at: 0)
      observer.didMove(toParent: self)
    }

    /// `addChild(_:)` is for custom containers only.
    private var isContainerOfUIKit: Bool {
      self is UINavigationController || self is UITabBarController || self is UISplitViewController
        || self is UIPageViewController
    }
  }

  /// A child controller that appears with its parent.
  private final class AppearanceObserver: UIViewController {
    private let onAppear: () -> Void

    init(onAppear: @escaping () -> Void) {
      self.onAppear = onAppear
      super.init(nibName: nil, bundle: nil)
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) { nil }

    override func viewDidAppear(_ animated: Bool) {
      super.viewDidAppear(animated)
      onAppear()
    }
  }
#endif
