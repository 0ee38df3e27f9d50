package import DualSendCore
package import DualSendParity
package import DualSendRollout

/// The storage of a guard's state and log.
package protocol GuardMemory: Sendable {
  /// The stored state, if any.
  func state() throws -> GuardState?
  /// Stores a state atomically and durably.
  func keep(_ state: GuardState) throws
  /// Appends a decision to the log, unless it is the last one there. Decisions to wait are always appended.
  func log(_ decision: GuardDecision) throws
  /// The last decision of the log, which may outlive the state.
  func lastLogged() throws -> GuardDecision?
}

/// The rollout document that a guard moves.
package protocol GuardedDocument: Sendable {
  /// The live text.
  func live() async throws -> [UInt8]
  /// The share of units at the place that the policy moves.
  func share(in text: [UInt8]) throws -> RolloutPercentage
  /// The text with another share under the next revision; `nil` if nothing would change.
  ///
  /// A lower share may take the new tracker from units that have it.
  ///
  /// - Parameter events: events that no place of the document may give to more units than the share.
  /// - Parameter evidence: the report that must have every event that would go to more units; `nil` skips this check.
  /// - Throws: ``GuardRefusal`` if the result is one that the console would not publish.
  func edited(
    _ text: [UInt8], to share: RolloutPercentage, lowering events: [EventPattern], evidence: ParityReport?
  ) throws -> [UInt8]?
  /// Publishes and records a text atomically, unless the live text is not the one before any more.
  ///
  /// - Returns: the live text, whose revision is higher if the text's own was tried before.
  func publish(_ text: [UInt8], over before: [UInt8], for decision: GuardDecision) async throws -> [UInt8]
  /// The kill of a person that was not taken back, in words; `nil` if there is none.
  func killInForce() async throws -> String?
}

/// The reason that a guard does not continue, as findings.
package struct GuardRefusal: Error, Sendable, Hashable {
  /// At least one finding.
  package let findings: [DocumentDiagnostic]

  package init(_ findings: [DocumentDiagnostic]) {
    self.findings = findings
  }

  init(_ code: DocumentDiagnostic.Code, _ message: String, help: String) {
    self.init([DocumentDiagnostic(.error, code, message, help: help)])
  }
}

/// A read returned the text before the last publication, as a cache may do. The next look reads again.
struct GuardStaleRead: Error, CustomStringConvertible {
  var description: String { "the document read is the one before the last publication; the next look reads it again" }
}

extension DocumentDiagnostic.Code {
  /// A bound is broken.
  static let guardBreach = DocumentDiagnostic.Code(rawValue: "DS1404")
  /// The document changed since the guard last read it.
  static let guardConflict = DocumentDiagnostic.Code(rawValue: "DS1405")
  /// The document's share is not a step of the policy, or there is no share to move.
  package static let guardStep = DocumentDiagnostic.Code(rawValue: "DS1406")
  /// The clock went by another time than the machine.
  static let guardClock = DocumentDiagnostic.Code(rawValue: "DS1408")
  /// The state is missing, but the log has decisions.
  static let guardStateLost = DocumentDiagnostic.Code(rawValue: "DS1409")
  /// Lines that a look has read are not there any more.
  static let guardLinesGone = DocumentDiagnostic.Code(rawValue: "DS1410")
  /// A decision could not be reported.
  static let guardUntold = DocumentDiagnostic.Code(rawValue: "DS1407")
}
