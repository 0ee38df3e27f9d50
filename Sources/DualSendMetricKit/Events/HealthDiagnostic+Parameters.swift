import DualSendCore

extension HealthDiagnostic {
  /// What an event carries beside the readings: the crash and the attributed call stack.
  func parameters(maximumFrames: Int) -> [String: EventValue] {
    var parameters = crash?.parameters ?? [:]
    guard let stack = callStacks.attributedStack else { return parameters }
    let shown = stack.frames.prefix(max(maximumFrames, 0))
    parameters["call_stack"] = .array(shown.map(\.value))
    let leftOut = stack.frames.count - shown.count
    if leftOut > 0 { parameters["frames_left_out"] = .int(Int64(leftOut)) }
    parameters["stacks"] = .int(Int64(callStacks.stacks.count))
    return parameters
  }
}

extension HealthDiagnostic.Crash {
  /// An Objective-C exception's message is left out: the app may have put anything into it.
  fileprivate var parameters: [String: EventValue] {
    var parameters: [String: EventValue] = [:]
    parameters["exception_type"] = exceptionType.map { .int($0) }
    parameters["exception_code"] = exceptionCode.map { .int($0) }
    parameters["signal"] = signal.map { .int($0) }
    parameters["termination_reason"] = terminationReason.map { .string($0) }
    for (key, name) in [("exception_name", "exceptionName"), ("exception_class", "className")] {
      if case .string(let text)? = exceptionReason[name] { parameters[key] = .string(text) }
    }
    return parameters
  }
}

extension CallStackTree.Frame {
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
