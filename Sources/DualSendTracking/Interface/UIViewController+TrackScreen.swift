#if canImport(UIKit) && !os(watchOS)
  public import UIKit

  extension UIViewController {
    /// Logs a ``ScreenView`` each time this controller's view appears. Called once, in `viewDidLoad()`:
    ///
    /// ```swift
    /// trackScreen("Top", with: logger)
    /// ```
    ///
    /// A child controller without a view of its own hears of the appearances; nothing is swizzled.
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

  /// A child that appears whenever its parent does.
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
