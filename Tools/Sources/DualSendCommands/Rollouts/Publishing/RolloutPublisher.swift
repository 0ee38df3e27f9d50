package import DualSendCommandLine
package import DualSendCore
package import DualSendRollout
import Foundation

/// Publishes a document with its signature, atomically.
package struct RolloutPublisher: Sendable {
  private static let timeout = Duration.seconds(30)

  private let target: DocumentAddress?
  private let headers: [String: String]
  private let transport: any HTTPTransport

  /// - Parameters:
  ///   - target: the address for a PUT, if any.
  ///   - headers: header fields of that request; of several with the same name, the last one.
  package init(target: DocumentAddress?, headers: [HeaderField], transport: any HTTPTransport) {
    (self.target, self.transport) = (target, transport)
    self.headers = Dictionary(headers.map { ($0.name, $0.value) }) { _, last in last }
  }

  /// Whether there is an address to publish to.
  package var hasTarget: Bool { target != nil }

  /// Publishes by PUT if there is an address, replaces a file if there is one, and records it if there is a record.
  ///
  /// The record is locked meanwhile, so that of two processes with the same record one publishes at a time.
  ///
  /// - Parameters:
  ///   - expected: the file's content that was checked; `nil` replaces any.
  ///   - publication: `nil` records nothing.
  /// - Returns: warnings of the record.
  /// - Throws: ``CommandError``. The live document is then unchanged, except if the message says that the address has the
  ///   new one; the record then has an entry with the failure.
  package func publish(
    _ bytes: [UInt8], signature: RolloutSignature?, file: String?, over expected: [UInt8]?,
    recording publication: Publication?, in record: PublicationRecord?
  ) async throws -> [DocumentDiagnostic] {
    var hold: PublicationRecord.Hold?
    do { hold = try record?.hold(waits: false) } catch  where PublicationRecord.isBusy(error) {
      throw CommandError("another process is publishing this document", help: "try again when it has ended")
    } catch {
      // The publication counts; whether it can be recorded is known below.
    }
    if let expected, let file, let live = try? InputFile.bytes(file), live != expected {
      throw CommandError("\(file) was changed in between", help: "check the new document, and try again")
    }
    if let target { try await put(bytes, signature, to: target) }
    do { if let file { try Self.replace(file, with: bytes, signature) } } catch {
      guard let target, let file else { throw error }
      let failure = "\(target.name) has the new document, but \(file) could not be replaced"
      if let record, var publication {
        publication.failure = failure
        _ = record.add(publication, to: hold)
      }
      throw CommandError("\(failure): \((error as? CommandError)?.message ?? "\(error)")", help: "publish again")
    }
    guard let record, let publication else { return [] }
    return record.add(publication, to: hold)
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
