#if !os(watchOS)
  import AppleFoundation

  /// The background tasks of an app, and the time that the system grants them, as a test says.
  public final class BackgroundTasks: @unchecked Sendable {
    private let lock = NSLock()
    private var count = 0
    private var running: [UIBackgroundTaskIdentifier: (name: String?, handler: (@MainActor @Sendable () -> Void)?)] =
      [:]
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func begin(_ name: String?, _ handler: (@MainActor @Sendable () -> Void)?) -> UIBackgroundTaskIdentifier {
      lock.withLock {
        count += 1
        let identifier = UIBackgroundTaskIdentifier(rawValue: count)
        running[identifier] = (name, handler)
        return identifier
      }
    }

    func end(_ identifier: UIBackgroundTaskIdentifier) {
      let ready = lock.withLock {
        running[identifier] = nil
        defer { if running.isEmpty { waiting = [] } }
        return running.isEmpty ? waiting : []
      }
      for continuation in ready { continuation.resume() }
    }

    /// The names of the tasks that were begun and not ended.
    public var names: [String] {
      lock.withLock { running.values.compactMap(\.name) }
    }

    /// Says to each task that its time is over.
    @MainActor
    public func expire() {
      for handler in lock.withLock({ running.values.compactMap(\.handler) }) { handler() }
    }

    /// Returns when every task has ended.
    public func allEnded() async {
      await withCheckedContinuation { continuation in
        let isIdle = lock.withLock {
          if !running.isEmpty { waiting.append(continuation) }
          return running.isEmpty
        }
        if isIdle { continuation.resume() }
      }
    }
  }
#endif
