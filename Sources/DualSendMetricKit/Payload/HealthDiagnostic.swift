/// One crash, hang, slow launch, or excess of CPU time or of disk writes.
public struct HealthDiagnostic: Sendable, Hashable {
  /// What a diagnostic is about.
  public enum Kind: Sendable, Hashable, CaseIterable {
    /// The app crashed.
    case crash
    /// The app was unresponsive.
    case hang
    /// The app took long to launch.
    case slowLaunch
    /// The app used much CPU time.
    case cpuException
    /// The app wrote much to the disk.
    case diskWriteException

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
  }

  /// The longest ``json`` that is kept, in bytes: 1 MiB.
  public static let maximumJSONBytes = 1 << 20

  /// What it is about.
  public let kind: Kind
  /// The device, and the version of the app that it happened to.
  public var environment: HealthEnvironment
  /// How long or how much; nothing for a crash.
  public var readings: [HealthReading]
  /// How a crash came about; `nil` for everything else.
  public var crash: HealthCrash?
  /// The call stacks; `nil` if there are none, or if they could not be read.
  public var callStacks: CallStackTree?
  /// What the system says about the diagnostic, as `MXDiagnostic.jsonRepresentation()` has it: a service that
  /// symbolicates needs it whole. An exception's message, which the app composed, is part of it. `nil` if it is longer
  /// than ``maximumJSONBytes``.
  public let json: [UInt8]?

  /// Creates a diagnostic.
  ///
  /// - Parameters:
  ///   - kind: what it is about.
  ///   - environment: the device and the app's version.
  ///   - readings: how long or how much.
  ///   - crash: how a crash came about.
  ///   - callStacks: the call stacks; by default those of `json`.
  ///   - json: the diagnostic's own JSON. Longer than ``maximumJSONBytes``, it is not kept.
  public init(
    _ kind: Kind, environment: HealthEnvironment = HealthEnvironment(), readings: [HealthReading] = [],
    crash: HealthCrash? = nil, callStacks: CallStackTree? = nil, json: [UInt8]? = nil
  ) {
    self.kind = kind
    self.environment = environment
    self.readings = readings
    self.crash = crash
    self.callStacks = callStacks ?? json.flatMap { CallStackTree(reading: $0) }
    self.json = json.flatMap { $0.count <= Self.maximumJSONBytes ? $0 : nil }
  }
}
