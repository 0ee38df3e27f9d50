import DualSendCommandLine
import DualSendCore
import DualSendRollout

extension RolloutWatch.Attempt {
  /// One line: the revision in force, the reason why no newer one is, and the state of the stream.
  var text: String {
    let verdict =
      switch verdict {
      case .accepted: "\(subject) is in force, as served"
      case .refused(let failure): "\(subject) stays in force: the served document is refused: \(failure.words)"
      case .unanswered(let failure): "\(subject) stays in force: \(failure.words)"
      case .postponed(let wait): "\(subject) stays in force: the next request is due in \(wait.wholeSeconds) s"
      }
    return stream.map { "\(verdict); \($0.text)" } ?? verdict
  }

  /// The same as JSON.
  ///
  /// - Parameter time: the time of the attempt, in milliseconds since 1970-01-01T00:00:00Z; `nil` leaves it out.
  func json(at time: Int64?) -> EventValue {
    var members: [String: EventValue] = [
      "revision": revision.map { .int($0) } ?? .null, "source": .string(source.rawValue), "verdict": .string(word),
    ]
    if let time { members["time"] = .string(Timestamp.text(milliseconds: time)) }
    switch stream {
    case .opening: members["stream"] = "opening"
    case .open: members["stream"] = "open"
    case .interrupted(let reason):
      members["stream"] = "interrupted"
      members["streamReason"] = .string(reason)
    case nil: break
    }
    if let reason { members["reason"] = .string(reason) }
    if !findings.isEmpty { members["findings"] = DiagnosticRenderer.value(findings) }
    return .object(members)
  }

  /// The faults of the served document, if it was refused for them.
  var findings: [DocumentDiagnostic] {
    if case .refused(.invalid(let error)) = verdict { error.diagnostics } else { [] }
  }

  private var subject: String {
    revision.map { "revision \($0)" + (source == .cached ? ", from the saved state," : "") } ?? "the app's default"
  }

  private var word: String {
    switch verdict {
    case .accepted: "accepted"
    case .refused: "refused"
    case .unanswered: "unanswered"
    case .postponed: "postponed"
    }
  }

  private var reason: String? {
    switch verdict {
    case .accepted: nil
    case .refused(let failure), .unanswered(let failure): failure.words
    case .postponed(let wait): "the next request is due in \(wait.wholeSeconds) s"
    }
  }
}

extension RolloutWatch.Attempt.Stream {
  fileprivate var text: String {
    switch self {
    case .opening: "the stream is not open yet"
    case .open: "the stream is open"
    case .interrupted(let reason): reason
    }
  }
}

extension RemoteConfigFetcher.Failure {
  /// One line; counts the faults of a document that has several.
  fileprivate var words: String {
    guard case .invalid(let error) = self else { return description }
    let errors = error.diagnostics.filter { $0.severity == .error }
    return errors.count == 1 ? errors[0].message : "the document has \(errors.count.counted("error"))"
  }
}

extension Duration {
  /// Seconds, rounded up.
  fileprivate var wholeSeconds: Int64 { components.seconds + (components.attoseconds > 0 ? 1 : 0) }
}
