import Dispatch
import DualSendCore
import DualSendTesting
import Foundation
import Testing
import UIKit

@testable import DualSendTracking

@Suite("The life cycle of an app", .serialized, .timeLimit(.minutes(1)))
@MainActor
struct LifecycleTests {
  let application = UIApplication.shared

  /// Posts a notification and returns when its observers have run on the main thread.
  ///
  /// From another thread: swift-corelibs-foundation waits for the main queue even on the main thread.
  func post(_ name: NSNotification.Name) async {
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        NotificationCenter.default.post(name: name, object: nil)
        continuation.resume()
      }
    }
  }

  @Test("delivers what waits when the app goes to the background, in a background task that ends with it")
  func flush() async throws {
    let transport = ScriptedTransport()
    let tracker = try makeTracker(transport) { configuration in
      configuration.digest.start = .onDemand
      configuration.systemEvents = .lifecycle
    }
    for name in ["a", "b", "c"] { tracker.sendLog(name: name) }
    await post(UIApplication.didEnterBackgroundNotification)
    await ExpiringActivities.allEnded()
    #expect(transport.events.compactMap { $0["eventName"] } == ["a", "b", "c"])
  }

  @Test("ends the background task when the system's time is over, and keeps what was not delivered")
  func expiration() async throws {
    let (gate, opener) = AsyncStream.makeStream(of: Never.self)
    let (requests, arrived) = AsyncStream.makeStream(of: Void.self)
    let transport = ScriptedTransport { _ in
      arrived.yield()
      for await _ in gate {}
      return .success(HTTPTransportResponse(status: 200))
    }
    let tracker = try makeTracker(transport) { configuration in
      configuration.digest.start = .onDemand
      configuration.systemEvents = .lifecycle
    }
    tracker.sendLog(name: "a")
    await post(UIApplication.didEnterBackgroundNotification)
    for await _ in requests { break }
    #expect(ExpiringActivities.reasons == ["DualSend.flush"])
    ExpiringActivities.expire()
    await ExpiringActivities.allEnded()
    #expect(await tracker.statistics.ledger.pending == 1)
    opener.finish()
  }

  @Test("commits what was logged last before the app ends")
  func termination() async throws {
    let stored = Locked(0)
    let tracker = try makeTracker(ScriptedTransport()) { configuration in
      configuration.digest.start = .onDemand
      configuration.systemEvents = .lifecycle
      configuration.intake.commitDelay = .seconds(60)
      configuration.observer = { if case .stored(let events) = $0 { stored.withLock { $0 += events.count } } }
    }
    tracker.sendLog(name: "after a quiet time")
    await tracker.persist()
    tracker.sendLog(name: "last")
    await post(UIApplication.willTerminateNotification)
    #expect(stored.current == 2)
  }

  @Test("means nothing to a tracker that ignores it, and does not retain one")
  func off() async throws {
    let transport = ScriptedTransport()
    let tracker = try makeTracker(transport) {
      $0.digest.start = .onDemand
      $0.systemEvents = .network
    }
    weak var released: Tracker?
    do { released = try makeTracker(transport) { $0.systemEvents = .all } }
    #expect(released == nil)
    tracker.sendLog(name: "a")
    await tracker.persist()
    await post(UIApplication.didEnterBackgroundNotification)
    #expect(ExpiringActivities.reasons.isEmpty)
    #expect(transport.requests.isEmpty)
  }

  @Test("delivers when the host of an extension goes to the background")
  func host() async throws {
    let transport = ScriptedTransport()
    let tracker = try makeTracker(transport) { configuration in
      configuration.digest.start = .onDemand
      configuration.systemEvents = .lifecycle
    }
    tracker.sendLog(name: "a")
    await post(NSNotification.Name.NSExtensionHostDidEnterBackground)
    await ExpiringActivities.allEnded()
    #expect(transport.events.compactMap { $0["eventName"] } == ["a"])
  }

  @Test("an app group's container is refused with its reason, because a lock there ends a suspended app")
  func appGroup() async throws {
    let tracker = try makeTracker(ScriptedTransport()) {
      $0.storage = .file(URL(fileURLWithPath: "/private/var/mobile/Containers/Shared/AppGroup/1/events.sqlite"))
    }
    tracker.sendLog(name: "a")
    #expect(await tracker.flush().sent == 1)
    let reason = await tracker.statistics.inMemoryBecause
    #expect(reason?.kind == .unusableFolder)
    #expect(reason?.message.contains("0xdead10cc") == true)
  }
}
