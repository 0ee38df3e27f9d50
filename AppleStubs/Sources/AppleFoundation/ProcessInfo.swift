extension ProcessInfo {
  // https://developer.apple.com/documentation/foundation/processinfo/islowpowermodeenabled
  @available(iOS 9, macOS 12, tvOS 9, watchOS 2, visionOS 1, *)
  public var isLowPowerModeEnabled: Bool { DeviceState.isLowPowerModeEnabled }

  #if !os(macOS)
    // https://developer.apple.com/documentation/foundation/processinfo/performexpiringactivity(withreason:using:)
    @available(iOS 8.2, tvOS 9, watchOS 2, visionOS 1, *)
    public func performExpiringActivity(
      withReason reason: String, using block: @escaping @Sendable (_ expired: Bool) -> Void
    ) {
      ExpiringActivities.begin(reason, block)
    }
  #endif
}

#if !os(macOS)
  extension NSNotification.Name {
    // https://developer.apple.com/documentation/foundation/nsnotification/name-swift.struct/nsextensionhostdidenterbackground
    @available(iOS 8.2, tvOS 9, watchOS 2, visionOS 1, *)
    public static let NSExtensionHostDidEnterBackground = NSNotification.Name(
      "NSExtensionHostDidEnterBackgroundNotification")
  }
#endif

extension URL {
  // https://developer.apple.com/documentation/foundation/url/applicationsupportdirectory
  @available(iOS 16, macOS 13, tvOS 16, watchOS 9, visionOS 1, *)
  public static var applicationSupportDirectory: URL {
    FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)[0]
  }
}

/// What tests say of the device.
public enum DeviceState {
  nonisolated(unsafe) public static var isLowPowerModeEnabled = false
}

/// The activities of the process, and the time that the system grants them, as a test says.
public enum ExpiringActivities {
  private static let lock = NSLock()
  nonisolated(unsafe) private static var running: [Int: (reason: String, block: @Sendable (Bool) -> Void)] = [:]
  nonisolated(unsafe) private static var count = 0
  nonisolated(unsafe) private static var waiting: [CheckedContinuation<Void, Never>] = []

  /// Runs the block on another thread, as the system does; the activity lasts until it returns.
  fileprivate static func begin(_ reason: String, _ block: @escaping @Sendable (Bool) -> Void) {
    let number = lock.withLock {
      count += 1
      running[count] = (reason, block)
      return count
    }
    Thread.detachNewThread {
      block(false)
      let ready = lock.withLock {
        running[number] = nil
        defer { if running.isEmpty { waiting = [] } }
        return running.isEmpty ? waiting : []
      }
      for continuation in ready { continuation.resume() }
    }
  }

  /// The reasons of the activities that have begun and not ended.
  public static var reasons: [String] {
    lock.withLock { running.values.map(\.reason) }
  }

  /// Says to each activity that its time is over.
  public static func expire() {
    for activity in lock.withLock({ Array(running.values) }) { activity.block(true) }
  }

  /// Returns when every activity has ended.
  public static func allEnded() async {
    await withCheckedContinuation { continuation in
      let isIdle = lock.withLock {
        if !running.isEmpty { waiting.append(continuation) }
        return running.isEmpty
      }
      if isIdle { continuation.resume() }
    }
  }
}
