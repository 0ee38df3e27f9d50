package import DualSendCore
package import DualSendParity
package import DualSendRollout

/// Where a guard keeps its state and its log.
package protocol GuardMemory: Sendable {
  /// The state that was kept last; `nil` if there is none.
  func state() throws -> GuardState?
  /// Keeps a state, as a whole or not at all; it outlasts a crash once this returns.
  func keep(_ state: GuardState) throws
  /// Appends a decision to the log, unless the log ends with one of the same number that is not to wait.
  func log(_ decision: GuardDecision) throws
}

/// The rollout document that a guard moves.
package protocol GuardedDocument: Sendable {
  /// The text that is live.
  func live() async throws -> [UInt8]
  /// The share of units at the place that the policy moves.
  func share(in text: [UInt8]) throws -> RolloutPercentage
  /// The text with another share under the next revision.
  ///
  /// A lower share may take the new tracker from units that have it.
  ///
  /// - Parameter evidence: what has to have every event that would go to more units; `nil` asks for none.
  /// - Throws: ``GuardRefusal`` if the result is one that the console would not publish.
  func edited(_ text: [UInt8], to share: RolloutPercentage, evidence: ParityReport?) throws -> [UInt8]
  /// Puts a text in force, as a whole or not at all.
  func publish(_ text: [UInt8]) async throws
}

/// Why a guard does not go on. Its findings say where and what the way out is.
package struct GuardRefusal: Error, Sendable, Hashable {
  /// At least one.
  package let findings: [DocumentDiagnostic]

  package init(_ findings: [DocumentDiagnostic]) {
    self.findings = findings
  }

  init(_ code: DocumentDiagnostic.Code, _ message: String, help: String) {
    self.init([DocumentDiagnostic(.error, code, message, help: help)])
  }
}

extension DocumentDiagnostic.Code {
  /// A bound is broken.
  static let guardBreach = DocumentDiagnostic.Code(rawValue: "DS1404")
  /// The document is not the one that the guard saw last.
  static let guardConflict = DocumentDiagnostic.Code(rawValue: "DS1405")
  /// The document's share is none of the policy's steps, or there is none to move.
  package static let guardStep = DocumentDiagnostic.Code(rawValue: "DS1406")
  /// A decision could not be told.
  static let guardUntold = DocumentDiagnostic.Code(rawValue: "DS1407")
}
