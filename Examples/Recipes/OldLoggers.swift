import DualSend
import Foundation

/// An old logger whose function answers whether it took an event, such as one that refuses while it has no session.
///
/// What it refuses is kept and offered again before the next event. **Order**: each event after those that were refused before it.
/// **Losses**: what is kept is in memory alone, so it is lost with the process, and beyond the capacity the oldest goes first.
/// The new tracker is not affected: it has the event already.
public final class AnsweringLogger: OldLogger, @unchecked Sendable {
  private let capacity: Int
  private let take: @Sendable (String, [String: Any]) -> Bool
  /// Held while the function runs, so that events stay in order. The function must not log itself.
  private let lock = NSLock()
  private var kept: [(name: String, parameters: [String: Any])] = []

  /// - Parameter take: the old function; `false` if it did not take the event.
  public init(capacity: Int = 1_000, take: @escaping @Sendable (String, [String: Any]) -> Bool) {
    (self.capacity, self.take) = (capacity, take)
  }

  public func logEvents(name: String, parameters: [[String: Any]]) {
    lock.withLock {
      kept += parameters.map { (name, $0) }
      let taken = kept.prefix { take($0.name, $0.parameters) }.count
      kept.removeFirst(max(taken, kept.count - capacity))
    }
  }
}

/// The interface of an old logger that is isolated to the main actor, as all types of a new Xcode project are.
@MainActor
public protocol MainActorLogging: Sendable {
  func log(_ name: String, _ parameters: [String: Any])
}

/// Calls an old logger on the main actor, for call sites on any thread.
///
/// **Order**: calls on the main thread reach it at once, as before the migration; those of other threads come later, in their order.
/// **Losses**: what still waits for the main thread when the process ends does not reach the old logger. The new tracker has it.
public struct MainActorLogger: OldLogger {
  /// Marks the main queue, on which the main actor runs; on Linux, that is not always the main thread.
  private static let isMain = DispatchSpecificKey<Bool>()
  private let logger: any MainActorLogging

  public init(_ logger: any MainActorLogging) {
    self.logger = logger
    DispatchQueue.main.setSpecific(key: Self.isMain, value: true)
  }

  public func logEvents(name: String, parameters: [[String: Any]]) {
    // A copy of the call site's dictionaries. Objects in them must not be changed after the call.
    nonisolated(unsafe) let parameters = parameters
    let log = { @MainActor @Sendable [logger] in
      for event in parameters { logger.log(name, event) }
    }
    if DispatchQueue.getSpecific(key: Self.isMain) == true {
      MainActor.assumeIsolated(log)
    } else {
      DispatchQueue.main.async(execute: log)
    }
  }
}
