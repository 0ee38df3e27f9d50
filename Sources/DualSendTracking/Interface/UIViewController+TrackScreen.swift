#if canImport(UIKit) && !os(watchOS)
  public import UIKit

  extension UIViewController {
    /// Logs a ``ScreenView`` each time this controller's view appears. Call it once, in `viewDidLoad()`:
    ///
    /// ```swift
    /// trackScreen("Top", with: logger)
    /// ```
    ///
    /// An invisible child controller observes the appearances; nothing is swizzled.
    public func trackScreen(_ screen: String, with logger: any EventLogging) {
      let observer = AppearanceObserver { logger.log(ScreenView(screen)) }
      addChild(observer)
      observer.view.isHidden = true
      observer.view.isUserInteractionEnabled = false
      observer.view.isAccessibilityElement = false
      observer.view.frame = .zero
      view.insertSubview(observer.view, at: 0)
      observer.didMove(toParent: self)
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
