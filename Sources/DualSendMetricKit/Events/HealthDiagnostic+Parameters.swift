import DualSendCore

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

extension CallStackTree {
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
