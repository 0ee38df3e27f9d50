extension ProcessInfo {
  // https://developer.apple.com/documentation/foundation/processinfo/islowpowermodeenabled (iOS 9, macOS 12)
  public var isLowPowerModeEnabled: Bool { DeviceState.isLowPowerModeEnabled }
}

extension URL {
  // https://developer.apple.com/documentation/foundation/url/applicationsupportdirectory (iOS 16, macOS 13)
  public static var applicationSupportDirectory: URL {
    FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)[0]
  }
}

/// What tests say of the device.
public enum DeviceState {
  nonisolated(unsafe) public static var isLowPowerModeEnabled = false
}
