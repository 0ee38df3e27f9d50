import class Foundation.NSLock

// https://developer.apple.com/documentation/os/osallocatedunfairlock
@available(iOS 16, macOS 13, tvOS 16, watchOS 9, visionOS 1, *)
public struct OSAllocatedUnfairLock<State>: @unchecked Sendable {
  private final class Storage {
    let lock = NSLock()
    var state: State

    init(_ state: State) { self.state = state }
  }

  private let storage: Storage

  // https://developer.apple.com/documentation/os/osallocatedunfairlock/init(initialstate:)
  public init(initialState: State) where State: Sendable {
    storage = Storage(initialState)
  }

  // https://developer.apple.com/documentation/os/osallocatedunfairlock/withlockunchecked(_:)-7qywq
  public func withLockUnchecked<R>(_ body: (inout State) throws -> R) rethrows -> R {
    storage.lock.lock()
    defer { storage.lock.unlock() }
    return try body(&storage.state)
  }
}
