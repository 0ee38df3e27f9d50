public import Foundation

/// One crash, hang, slow launch, or excess of CPU time or of disk writes.
public struct HealthDiagnostic: Sendable, Hashable {
  /// The kind of a diagnostic.
  public enum Kind: Sendable, Hashable, CaseIterable {
    /// The app crashed.
    case crash
    /// The app was unresponsive.
    case hang
    /// A launch took too long.
    case slowLaunch
    /// The app used too much CPU time.
    case cpuException
    /// The app wrote too much to disk.
    case diskWriteException

    /// The topic of its events.
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

  /// The largest ``json`` that is kept, in bytes: 1 MiB.
  public static let maximumJSONBytes = 1 << 20

  /// The kind.
  public let kind: Kind
  /// The device and the version of the app.
  public var environment: HealthEnvironment
  /// The measured duration or amount; empty for a crash.
  public var readings: [HealthReading]
  /// The cause of a crash; `nil` for other kinds.
  public var crash: HealthCrash?
  /// The call stacks; `nil` if they are missing or unreadable.
  public var callStacks: CallStackTree?
  /// The JSON of `MXDiagnostic.jsonRepresentation()`, for services that symbolicate. Includes an exception's message,
  /// which may contain the app's data. `nil` if it is larger than ``maximumJSONBytes``.
  public let json: [UInt8]?

  /// Creates a diagnostic.
  ///
  /// - Parameters:
  ///   - kind: the kind.
  ///   - environment: the device and the app's version.
  ///   - readings: the measured duration or amount.
  ///   - crash: the cause of a crash.
  ///   - callStacks: the call stacks; by default those of `json`.
  ///   - json: the diagnostic's JSON. Not kept if it is larger than ``maximumJSONBytes``.
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

/// The content of an `MXDiagnosticPayload`, on every platform.
public struct HealthDiagnosticPayload: Sendable, Hashable {
  /// The start of the period.
  public var begin: Date?
  /// The end of the period.
  public var end: Date?
  /// The diagnostics, kind by kind.
  public var diagnostics: [HealthDiagnostic]

  /// Creates a payload, for tests. On Apple platforms, `MetricKitSubscriber` creates them from MetricKit's.
  public init(begin: Date? = nil, end: Date? = nil, diagnostics: [HealthDiagnostic] = []) {
    self.begin = begin
    self.end = end
    self.diagnostics = diagnostics
  }
}
