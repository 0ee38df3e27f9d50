import DualSendCore
import DualSendTesting
import DualSendTracking
import SwiftUI
import Testing
import UIKit

@Suite("A screen that is tracked", .timeLimit(.minutes(5)))
@MainActor
struct ScreenTests {
  private let logger = RecordingEventLogger()
  private let top = RecordingEventLogger.Entry(name: "screen_view", parameters: ["screen_name": "Top"])

  @Test("logs each appearance of a view controller, through a child that the user neither sees nor hears")
  func viewController() throws {
    let controller = UIViewController(nibName: nil, bundle: nil)
    controller.logsScreen("Top", with: logger)
    #expect(logger.entries.isEmpty)
    controller.endAppearanceTransition()
    controller.endAppearanceTransition()
    #expect(logger.entries == [top, top])

    let child = try #require(controller.children.first)
    #expect(controller.children.count == 1 && child.parent === controller)
    #expect(controller.view.subviews == [child.view])
    #expect(child.view.isHidden && !child.view.isUserInteractionEnabled && !child.view.isAccessibilityElement)
    #expect(child.view.frame == .zero)
  }

  @Test("leaves a container of UIKit alone, because its children are its screens")
  func container() {
    let containers: [UIViewController] = [
      UINavigationController(nibName: nil, bundle: nil), UITabBarController(nibName: nil, bundle: nil),
      UISplitViewController(nibName: nil, bundle: nil), UIPageViewController(nibName: nil, bundle: nil),
    ]
    for controller in containers {
      controller.logsScreen("Top", with: logger)
      controller.endAppearanceTransition()
      #expect(controller.children.isEmpty && controller.view.subviews.isEmpty)
    }
    #expect(logger.entries.isEmpty)
  }

  @Test("logs each appearance of a view, by the logger at hand")
  func view() {
    let view = EmptyView().logsScreen("Top", with: logger)
    #expect(logger.entries.isEmpty)
    ViewTree.appear(view)
    ViewTree.appear(view)
    #expect(logger.entries == [top, top])
  }

  @Test("logs by the logger of the environment, the nearest one, and not at all without one")
  func environment() {
    let outer = RecordingEventLogger()
    ViewTree.appear(EmptyView().logsScreen("Top"))
    ViewTree.appear(EmptyView().logsScreen("Top").eventLogging(logger).eventLogging(outer))
    ViewTree.appear(EmptyView().logsScreen("Top").eventLogging(nil).eventLogging(outer))
    #expect(logger.entries == [top])
    #expect(outer.entries.isEmpty)
  }

  @Test("can log any event, by the logger at hand or that of the environment")
  func event() {
    ViewTree.appear(EmptyView().logsEvent(ScreenView("Top"), with: logger))
    ViewTree.appear(EmptyView().logsEvent(ScreenView("Top")).eventLogging(logger))
    ViewTree.appear(EmptyView().logsEvent(ScreenView("Top")))
    #expect(logger.entries == [top, top])
  }
}
