public import Dispatch
import Foundation

// https://developer.apple.com/documentation/network/nwpath
@available(iOS 12, macOS 10.14, tvOS 12, watchOS 5, visionOS 1, *)
public struct NWPath: Equatable, Sendable {
  // https://developer.apple.com/documentation/network/nwpath/status-swift.enum
  public enum Status: Sendable {
    case satisfied, unsatisfied, requiresConnection
  }

  // https://developer.apple.com/documentation/network/nwpath/status-swift.property
  public let status: Status
}

// https://developer.apple.com/documentation/network/nwpathmonitor
@available(iOS 12, macOS 10.14, tvOS 12, watchOS 5, visionOS 1, *)
public final class NWPathMonitor: @unchecked Sendable {
  private let lock = NSLock()
  private var handler: (@Sendable (NWPath) -> Void)?
  private var queue: DispatchQueue?

  // https://developer.apple.com/documentation/network/nwpathmonitor/init()
  public init() {}

  // https://developer.apple.com/documentation/network/nwpathmonitor/pathupdatehandler
  @preconcurrency public var pathUpdateHandler: (@Sendable (NWPath) -> Void)? {
    get { lock.withLock { handler } }
    set { lock.withLock { handler = newValue } }
  }

  // https://developer.apple.com/documentation/network/nwpathmonitor/start(queue:)
  public func start(queue: DispatchQueue) {
    lock.withLock { self.queue = queue }
    NetworkPaths.add(self)
  }

  // https://developer.apple.com/documentation/network/nwpathmonitor/cancel()
  public func cancel() {
    lock.withLock { (queue, handler) = (nil, nil) }
  }

  fileprivate func update(_ path: NWPath) {
    let (queue, handler) = lock.withLock { (self.queue, self.handler) }
    queue?.sync { handler?(path) }
  }

  fileprivate var isStarted: Bool { lock.withLock { queue != nil } }
}

/// Lets tests change the network path.
public enum NetworkPaths {
  private struct Reference {
    weak var monitor: NWPathMonitor?
  }

  private static let lock = NSLock()
  nonisolated(unsafe) private static var references: [Reference] = []

  fileprivate static func add(_ monitor: NWPathMonitor) {
    lock.withLock { references.append(Reference(monitor: monitor)) }
  }

  private static var monitors: [NWPathMonitor] {
    lock.withLock { references.compactMap(\.monitor) }.filter(\.isStarted)
  }

  /// How many monitors are started and not cancelled.
  public static var monitorCount: Int { monitors.count }

  /// Tells every started monitor, on its queue, and returns afterwards.
  public static func change(to status: NWPath.Status) {
    for monitor in monitors { monitor.update(NWPath(status: status)) }
  }
}
