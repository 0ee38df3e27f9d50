import DualSendCommandLine
import DualSendCommands
import DualSendCore
import DualSendRollout
import Foundation

/// Publishes a document with its signature, atomically.
struct RolloutPublisher: Sendable {
  private static let timeout = Duration.seconds(30)

  private let target: DocumentAddress?
  private let headers: [String: String]
  private let transport: any HTTPTransport

  init(_ options: ConsoleOptions, on terminal: Terminal) {
    target = options.publish.flatMap { DocumentAddress($0) }
    headers = Dictionary(options.header.map { ($0.name, $0.value) }) { _, last in last }
    transport = terminal.transport
  }

  /// Whether the document can be published.
  func canPublish(_ document: LiveDocument?) -> Bool { document?.path != nil || target != nil }

  /// Publishes by PUT if there is an address, and replaces the live file if there is one.
  ///
  /// - Throws: ``CommandError``. The live document is then unchanged.
  func publish(_ bytes: [UInt8], signature: RolloutSignature?, as document: LiveDocument) async throws {
    if let target { try await put(bytes, signature, to: target) }
    if let path = document.path {
      try Self.replace(path, with: bytes, signature)
    } else {
      await document.hold(bytes, signature: signature?.fileBytes)
    }
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
      throw CommandError("cannot publish to \(target.name): \(error)", help: "the live document is unchanged")
    }
    guard (200..<300).contains(answer.status) else {
      throw CommandError(
        "\(target.name) refused the document: status \(answer.status)", help: "check --publish and its --header")
    }
  }

  /// Replaces the signature first, and restores it if the document cannot be replaced. An app that fetches in between
  /// keeps its document, because the signature does not match.
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
