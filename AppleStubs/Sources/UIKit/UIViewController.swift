#if !os(watchOS)
  @_exported public import AppleFoundation

  extension NSObject {
    // https://developer.apple.com/documentation/objectivec/nsobject-swift.class/isaccessibilityelement
    @available(iOS 3, tvOS 9, visionOS 1, *)
    @MainActor public var isAccessibilityElement: Bool {
      get { (self as? UIView)?.isElement ?? false }
      set { (self as? UIView)?.isElement = newValue }
    }
  }

  // https://developer.apple.com/documentation/uikit/uiview
  @available(iOS 2, tvOS 9, visionOS 1, *)
  @MainActor
  open class UIView: UIResponder {
    // https://developer.apple.com/documentation/uikit/uiview/ishidden
    open var isHidden = false
    // https://developer.apple.com/documentation/uikit/uiview/isuserinteractionenabled
    open var isUserInteractionEnabled = true
    // https://developer.apple.com/documentation/uikit/uiview/frame
    open var frame = CGRect(x: 0, y: 0, width: 390, height: 844)
    // https://developer.apple.com/documentation/uikit/uiview/subviews
    open private(set) var subviews: [UIView] = []
    fileprivate var isElement = true

    // https://developer.apple.com/documentation/uikit/uiview/insertsubview(_:at:)
    open func insertSubview(_ view: UIView, at index: Int) {
      subviews.insert(view, at: index)
    }
  }

  // https://developer.apple.com/documentation/uikit/uiviewcontroller
  @available(iOS 2, tvOS 9, visionOS 1, *)
  @MainActor
  open class UIViewController: UIResponder {
    // https://developer.apple.com/documentation/uikit/uiviewcontroller/view
    open var view: UIView! = UIView()
    // https://developer.apple.com/documentation/uikit/uiviewcontroller/children
    @available(iOS 5, tvOS 9, visionOS 1, *)
    open private(set) var children: [UIViewController] = []
    // https://developer.apple.com/documentation/uikit/uiviewcontroller/parent
    open private(set) weak var parent: UIViewController?

    // https://developer.apple.com/documentation/uikit/uiviewcontroller/init(nibname:bundle:)
    public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {}

    // https://developer.apple.com/documentation/uikit/uiviewcontroller/init(coder:)
    public required init?(coder: NSCoder) { nil }

    // https://developer.apple.com/documentation/uikit/uiviewcontroller/addchild(_:)
    @available(iOS 5, tvOS 9, visionOS 1, *)
    open func addChild(_ childController: UIViewController) {
      children.append(childController)
      childController.parent = self
    }

    // https://developer.apple.com/documentation/uikit/uiviewcontroller/didmove(toparent:)
    @available(iOS 5, tvOS 9, visionOS 1, *)
    open func didMove(toParent parent: UIViewController?) {}

    // https://developer.apple.com/documentation/uikit/uiviewcontroller/viewdidappear(_:)
    open func viewDidAppear(_ animated: Bool) {}

    // https://developer.apple.com/documentation/uikit/uiviewcontroller/endappearancetransition()
    //
    // Tests call it where UIKit does. A controller hands its appearance on to its children:
    // https://developer.apple.com/documentation/uikit/uiviewcontroller/shouldautomaticallyforwardappearancemethods
    @available(iOS 5, tvOS 9, visionOS 1, *)
    open func endAppearanceTransition() {
      viewDidAppear(false)
      for child in children { child.endAppearanceTransition() }
    }
  }

  // https://developer.apple.com/documentation/uikit/uinavigationcontroller
  @available(iOS 2, tvOS 9, visionOS 1, *)
  open class UINavigationController: UIViewController {}

  // https://developer.apple.com/documentation/uikit/uitabbarcontroller
  @available(iOS 2, tvOS 9, visionOS 1, *)
  open class UITabBarController: UIViewController {}

  // https://developer.apple.com/documentation/uikit/uisplitviewcontroller
  @available(iOS 3.2, tvOS 9, visionOS 1, *)
  open class UISplitViewController: UIViewController {}

  // https://developer.apple.com/documentation/uikit/uipageviewcontroller
  @available(iOS 5, tvOS 9, visionOS 1, *)
  open class UIPageViewController: UIViewController {}
#endif
