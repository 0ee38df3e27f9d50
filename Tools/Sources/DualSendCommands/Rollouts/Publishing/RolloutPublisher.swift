import DualSendCommandLine
package import DualSendCore
package import DualSendRollout
import Foundation

/// Puts a document where apps fetch it, with its signature: as a whole or not at all.
package struct RolloutPublisher: Sendable {
  private static let timeout = Duration.seconds(30)

  private let target: DocumentAddress?
  private let headers: [String: String]
  private let transport: any HTTPTransport

  /// - Parameters:
  ///   - target: where a document is put by PUT; `nil` for nowhere.
  ///   - headers: header fields of that request.
  package init(target: DocumentAddress?, headers: [String: String], transport: any HTTPTransport) {
    (self.target, self.headers, self.transport) = (target, headers, transport)
  }

  /// Whether there is an address to publish to.
  package var hasTarget: Bool { target != nil }

  /// Publishes by PUT if there is an address for that, and replaces a file if there is one.
  ///
  /// - Throws: ``CommandError``; what was live is then live still.
  package func publish(_ bytes: [UInt8], signature: RolloutSignature?, file: String?) async throws {
    if let target { try await put(bytes, signature, to: target) }
    if let file { try Self.replace(file, with: bytes, signature) }
  }

  private func put(_ bytes: [UInt8], _ signature: RolloutSignature?, to target: DocumentAddress) async throws {
    var headers = target.headers.merging(["Content-Type": "application/json"]) { own, _ in own }
    headers.merge(self.headers) { _, own in own }
    headers[RolloutSignature.headerField] = signature?.description
    let request = HTTPTransportRequest(
      method: "PUT", url: target.url, headers: headers, body: bytes, timeout: Self.timeout,
      maximumResponseBytes: 1 << 20)
    let answer: HTTPTransportResponse
    do { answer = try await transport.send(request) } catch {
      throw CommandError("cannot publish to \(target.name): \(error)", help: "what was live is live still")
    }
    guard (200..<300).contains(answer.status) else {
      throw CommandError(
        "\(target.name) did not take the document: status \(answer.status)", help: "check --publish and its --header")
    }
  }

  /// The signature goes first, and comes back if the document cannot follow: an app that fetches in between keeps what it
  /// has, for neither document fits the other one's signature.
  private static func replace(_ path: String, with bytes: [UInt8], _ signature: RolloutSignature?) throws {
    let signaturePath = path + "." + RolloutSignature.fileExtension
    let isSigned = FileManager.default.fileExists(atPath: signaturePath)
    let before = isSigned ? try InputFile.exactBytes(signaturePath) : nil
    func put(_ signature: [UInt8]?) throws {
      if let signature {
        try InputFile.replace(signaturePath, with: signature)
      } else if FileManager.default.fileExists(atPath: signaturePath) {
        try InputFile.remove(signaturePath)
      }
    }
    try put(signature?.fileBytes)
    do { try InputFile.replace(path, with: bytes) } catch {
      try put(before)
      throw error
    }
  }
}
