/// How a crash came about.
public struct HealthCrash: Sendable, Hashable {
  /// An uncaught Objective-C exception.
  public struct Exception: Sendable, Hashable {
    /// Such as `NSRangeException`.
    public var name: String
    /// The class that raised it, such as `NSArrayM`.
    public var className: String
    /// The message. It may hold anything that the app put into it, and is part of no event.
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
  /// Such as `Namespace SIGNAL, Code 11`.
  public var terminationReason: String?
  /// The memory around a bad access. Part of no event.
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
