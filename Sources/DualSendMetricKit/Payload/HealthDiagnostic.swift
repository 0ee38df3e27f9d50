public import DualSendCore

/// One crash, hang, slow launch, or excess of CPU time or of disk writes.
public struct HealthDiagnostic: Sendable {
  /// What a diagnostic is about.
  public enum Kind: Sendable, Hashable, CaseIterable {
    case crash, hang, slowLaunch, cpuException, diskWriteException

    /// The events that it becomes.
    public var topic: HealthTopic {
      switch self {
      case .crash: .crash
      case .hang: .hang
      case .slowLaunch: .slowLaunch
      case .cpuException: .cpuException
      case .diskWriteException: .diskWriteException
      }
    }

    /// The key of its list in a payload.
    var payloadKey: String {
      switch self {
      case .crash: "crashDiagnostics"
      case .hang: "hangDiagnostics"
      case .slowLaunch: "appLaunchDiagnostics"
      case .cpuException: "cpuExceptionDiagnostics"
      case .diskWriteException: "diskWriteExceptionDiagnostics"
      }
    }
  }

  /// How a crash came about.
  public struct Crash: Sendable {
    /// The Mach exception's type, as in `exception_types.h`.
    public internal(set) var exceptionType: Int64?
    /// The Mach exception's code.
    public internal(set) var exceptionCode: Int64?
    /// The signal, as in `signal.h`.
    public internal(set) var signal: Int64?
    /// Such as `Namespace SIGNAL, Code 11`.
    public internal(set) var terminationReason: String?
    /// The memory around a bad access.
    public internal(set) var virtualMemoryRegion: String?
    /// An uncaught Objective-C exception, with all its keys. Its message may hold what the app put into it.
    public internal(set) var exceptionReason: [String: EventValue] = [:]
  }

  /// What it is about.
  public let kind: Kind
  /// The device, and the version of the app that it happened to.
  public internal(set) var environment = HealthEnvironment()
  /// How long or how much; nothing for a crash.
  public internal(set) var readings: [HealthReading] = []
  /// How a crash came about; `nil` for everything else.
  public internal(set) var crash: Crash?
  /// The call stacks.
  public internal(set) var callStacks = CallStackTree()

  init(kind: Kind) {
    self.kind = kind
    if kind == .crash { crash = Crash() }
  }
}
