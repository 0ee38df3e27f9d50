package import DualSendCore

/// What the page's actions do: implemented with the code of the commands, which this module does not know.
package protocol ConsoleWorkbench: Sendable {
  /// What `api/state` says beside what the server knows itself.
  func state() async -> [String: EventValue]

  /// The document as apps fetch it, and its signature; `nil` where there is none.
  func liveRollout() async -> (document: [UInt8], signature: [UInt8]?)?

  /// Answers a request below `api/`; `nil` for a path that it does not know.
  ///
  /// - Throws: ``ConsoleFailure``; whatever else it throws is answered by 500 and its description.
  func answer(_ request: ConsoleRequest) async throws -> ConsoleAnswer?
}
