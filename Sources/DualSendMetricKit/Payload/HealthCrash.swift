/// The cause of a crash.
public struct HealthCrash: Sendable, Hashable {
  /// An uncaught Objective-C exception.
  public struct Exception: Sendable, Hashable {
    /// The name, such as `NSRangeException`.
    public var name: String
    /// The class that raised it, such as `NSArrayM`.
    public var className: String
    /// The message. Not included in events, because it may contain the app's data.
    public var message: String

    /// Creates an exception.
    public init(name: String, className: String, message: String) {
      self.name = name
      self.className = className
      self.message = message
    }
  }

  /// The Mach exception's type, as in `exception_types.h`.
  public var exceptionType: Int64?
  /// The Mach exception's code.
  public var exceptionCode: Int64?
  /// The signal, as in `signal.h`.
  public var signal: Int64?
  /// The termination reason, such as `Namespace SIGNAL, Code 11`.
  public var terminationReason: String?
  /// The memory region of an invalid access. Not included in events.
  public var virtualMemoryRegion: String?
  /// An uncaught Objective-C exception; `nil` before iOS 17.
  public var exception: Exception?

  /// Creates a crash.
  public init(
    exceptionType: Int64? = nil, exceptionCode: Int64? = nil, signal: Int64? = nil, terminationReason: String? = nil,
    virtualMemoryRegion: String? = nil, exception: Exception? = nil
  ) {
    self.exceptionType = exceptionType
    self.exceptionCode = exceptionCode
    self.signal = signal
    self.terminationReason = terminationReason
    self.virtualMemoryRegion = virtualMemoryRegion
    self.exception = exception
  }
}
