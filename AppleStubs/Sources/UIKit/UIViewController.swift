#if !os(watchOS)
  @_exported public import AppleFoundation

  extension NSObject {
    // https://developer.apple.com/documentation/objectivec/nsobject-swift.class/isaccessibilityelement
    @MainActor public var isAccessibilityElement: Bool {
      get { (self as? UIView)?.isElement ?? false }
      set { (self as? UIView)?.isElement = newValue }
    }
  }

  // https://developer.apple.com/documentation/uikit/uiview
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
  @MainActor
  open class UIViewController: UIResponder {
    // https://developer.apple.com/documentation/uikit/uiviewcontroller/view
    open var view: UIView! = UIView()
    // https://developer.apple.com/documentation/uikit/uiviewcontroller/children
    open private(set) var children: [UIViewController] = []
    // https://developer.apple.com/documentation/uikit/uiviewcontroller/parent
    open private(set) weak var parent: UIViewController?

    // https://developer.apple.com/documentation/uikit/uiviewcontroller/init(nibname:bundle:)
    public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {}

    // https://developer.apple.com/documentation/uikit/uiviewcontroller/init(coder:)
    public required init?(coder: NSCoder) { nil }

    // https://developer.apple.com/documentation/uikit/uiviewcontroller/addchild(_:)
    open func addChild(_ childController: UIViewController) {
      children.append(childController)
      childController.parent = self
    }

    // https://developer.apple.com/documentation/uikit/uiviewcontroller/didmove(toparent:)
    open func didMove(toParent parent: UIViewController?) {}

    // https://developer.apple.com/documentation/uikit/uiviewcontroller/viewdidappear(_:)
    open func viewDidAppear(_ animated: Bool) {}

    // https://developer.apple.com/documentation/uikit/uiviewcontroller/endappearancetransition()
    //
    // Tests call it where UIKit does. A controller hands its appearance on to its children:
    // https://developer.apple.com/documentation/uikit/uiviewcontroller/shouldautomaticallyforwardappearancemethods
    open func endAppearanceTransition() {
      viewDidAppear(false)
      for child in children { child.endAppearanceTransition() }
    }
  }
#endif
