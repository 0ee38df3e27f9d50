import DualSendCore
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
  public var callStacks: HealthCallStackTree?
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
    crash: HealthCrash? = nil, callStacks: HealthCallStackTree? = nil, json: [UInt8]? = nil
  ) {
    self.kind = kind
    self.environment = environment
    self.readings = readings
    self.crash = crash
    self.callStacks = callStacks ?? json.flatMap { HealthCallStackTree(reading: $0) }
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

// MARK: - Parameters

extension HealthDiagnostic {
  /// The parameters besides the readings: the crash, the attributed call stack, and the JSON if selected.
  func parameters(_ selection: HealthSelection) -> [String: EventValue] {
    var parameters = crash?.parameters ?? [:]
    if let callStacks { parameters.merge(callStacks.parameters(selection.maximumFrames)) { _, new in new } }
    if selection.maximumJSONBytes > 0, let json {
      if json.count <= selection.maximumJSONBytes {
        parameters["json"] = .string(String(decoding: json, as: UTF8.self))
      } else {
        parameters["json_left_out"] = .int(Int64(json.count))
      }
    }
    return parameters
  }
}

extension HealthCrash {
  /// Omits an Objective-C exception's message, which may hold any data of the app.
  fileprivate var parameters: [String: EventValue] {
    var parameters: [String: EventValue] = [:]
    parameters["exception_type"] = exceptionType.map { .int($0) }
    parameters["exception_code"] = exceptionCode.map { .int($0) }
    parameters["signal"] = signal.map { .int($0) }
    parameters["termination_reason"] = terminationReason.map { .string($0) }
    parameters["exception_name"] = exception.map { .string($0.name) }
    parameters["exception_class"] = exception.map { .string($0.className) }
    return parameters
  }
}

extension HealthCallStackTree {
  fileprivate func parameters(_ maximumFrames: Int) -> [String: EventValue] {
    guard let stack = attributedStack else { return [:] }
    let shown = stack.frames.prefix(max(maximumFrames, 0))
    var parameters: [String: EventValue] = [
      "call_stack": .array(shown.map(\.value)), "stacks": .int(Int64(stacks.count)),
    ]
    let leftOut = stack.frames.count - shown.count
    if leftOut > 0 { parameters["frames_left_out"] = .int(Int64(leftOut)) }
    return parameters
  }
}

extension HealthCallStackTree.Frame {
  fileprivate var value: EventValue {
    var members: [String: EventValue] = ["depth": .int(Int64(depth))]
    members["binary"] = binaryName.map { .string($0) }
    members["uuid"] = binaryUUID.map { .string($0) }
    members["offset"] = offset.map { EventValue($0) }
    members["address"] = address.map { EventValue($0) }
    members["samples"] = sampleCount.map { .int($0) }
    return .object(members)
  }
}

// MARK: - Health crash

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
