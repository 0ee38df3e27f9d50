package import DualSendCommandLine
package import DualSendCore
package import DualSendRollout
import Foundation

/// Publishes a document with its signature, and reads back what it has published.
package struct RolloutPublisher: Sendable {
  private static let timeout = Duration.seconds(30)
  /// How often an address is read until it is known what it has, and the time between.
  private static let (reads, pause) = (5, Duration.seconds(1))

  private let target: DocumentAddress?
  private let headers: [String: String]
  private let document: DocumentInput?
  private let terminal: Terminal
  private let sleep: @Sendable (Duration) async throws -> Void

  /// - Parameters:
  ///   - target: the address for a PUT, if any.
  ///   - headers: header fields of that request; of several with the same name, the last one.
  ///   - document: where apps read the document; a file is replaced.
  package init(
    target: DocumentAddress?, headers: [HeaderField], document: DocumentInput?, on terminal: Terminal,
    sleep: @escaping @Sendable (Duration) async throws -> Void = TimeSource.system.sleep
  ) {
    (self.target, self.document, self.terminal, self.sleep) = (target, document, terminal, sleep)
    self.headers = Dictionary(headers.map { ($0.name, $0.value) }) { _, last in last }
  }

  /// Whether there is an address to publish to.
  package var hasTarget: Bool { target != nil }

  /// Publishes by PUT if there is an address, replaces a file if there is one, and records it if there is a record.
  ///
  /// The record is locked meanwhile, so that of two processes with the same record one publishes at a time.
  ///
  /// - Parameters:
  ///   - expected: the live text that was checked; `nil` replaces any.
  ///   - publication: `nil` records nothing.
  /// - Returns: warnings of the record, and of what devices still get.
  /// - Throws: ``CommandError``. The live document is then unchanged, except if the message says that the address has the
  ///   new one or may have it; the record then has an entry with the failure, whose revision is not used again.
  package func publish(
    _ bytes: [UInt8], signature: RolloutSignature?, over expected: [UInt8]?, recording publication: Publication?,
    in record: PublicationRecord?
  ) async throws -> [DocumentDiagnostic] {
    var hold: PublicationRecord.Hold?
    do { hold = try record?.hold(waits: false) } catch  where PublicationRecord.isBusy(error) {
      throw CommandError("another process is publishing this document", help: "try again when it has ended")
    } catch {
      // The publication counts; whether it can be recorded is known below.
    }
    let file = document?.path.map(InputFile.resolvingLinks)
    var tag: String?
    if let document {
      // What cannot be read cannot be compared; a file that is new has nothing to be compared with.
      let live = expected == nil ? try? await document.live(on: terminal) : try await document.live(on: terminal)
      tag = live?.entityTag
      if signature == nil, live?.isSigned == true { throw Self.unsigned(document) }
      // A link can lead elsewhere meanwhile: what is replaced below is compared too.
      let replaced = expected == nil ? nil : try file.map(InputFile.exactBytes)
      if let expected, live?.bytes != expected || replaced.map({ $0 != expected }) ?? false {
        throw CommandError("\(document.name) was changed in between", help: "check the new document, and try again")
      }
    }
    func note(_ failure: String) {
      guard let record, var publication else { return }
      publication.failure = failure
      _ = record.add(publication, to: hold)
    }
    if let target {
      do { try await put(bytes, signature, to: target, over: expected) } catch let doubt as Doubt {
        note(doubt.description)
        throw CommandError(doubt.description, help: "read the address; the next publication takes a higher revision")
      }
    }
    do {
      if let path = document?.path, let file {
        guard InputFile.resolvingLinks(path) == file else {
          throw CommandError("\(path) was linked to another file in between", help: "check the document, and try again")
        }
        try Self.replace(file, signedBeside: path, with: bytes, signature)
      }
    } catch {
      guard let target, let file else { throw error }
      let failure = "\(target.name) has the new document, but \(file) could not be replaced"
      note(failure)
      throw CommandError("\(failure): \((error as? CommandError)?.message ?? "\(error)")", help: "publish again")
    }
    let warnings = target == nil ? [] : await devices(after: tag, lack: bytes)
    guard let record, let publication else { return warnings }
    return warnings + record.add(publication, to: hold)
  }

  /// Refuses to publish a document without a signature in place of one with it: apps that require it would refuse it.
  package func refuseUnsigned() async throws {
    if let document, try await document.live(on: terminal).isSigned { throw Self.unsigned(document) }
  }

  private static func unsigned(_ document: DocumentInput) -> CommandError {
    CommandError(
      "\(document.name) is signed, and there is no key for the new document; apps would refuse it",
      help: "give the secret key with --signing-key; or delete the signature first, if apps require none any more")
  }

  // MARK: By PUT

  /// Nobody knows whether the address has the new document.
  private struct Doubt: Error, CustomStringConvertible {
    let description: String
  }

  /// - Throws: ``CommandError`` if the address is known to be unchanged; ``Doubt`` if it is not known.
  private func put(
    _ bytes: [UInt8], _ signature: RolloutSignature?, to target: DocumentAddress, over before: [UInt8]?
  ) async throws {
    var headers = target.headers.merging(["Content-Type": "application/json"]) { own, _ in own }
    headers.merge(self.headers) { _, own in own }
    headers[RolloutSignature.headerField] = signature?.description
    let request = HTTPTransportRequest(
      method: "PUT", url: target.url, headers: headers, body: bytes, timeout: Self.timeout,
      maximumResponseBytes: 1 << 20)
    var (status, answer) = (Int?.none, "")
    do { status = try await terminal.transport.send(request).status } catch { answer = "\(error)" }
    if let status {
      // What refuses a request did not take it.
      guard (200..<300).contains(status) || status >= 500 else {
        throw CommandError(
          "\(target.name) refused the document: status \(status)", help: "check --publish and its --header")
      }
      answer = "it answered with status \(status)"
    }
    guard let seen = await unlessLive(at: target, bytes, before) else { return }
    throw Doubt(description: "it is not known whether \(target.name) has the new document: \(answer), and \(seen)")
  }

  /// Reads until apps, or the address that was published to, have the new text.
  ///
  /// - Returns: `nil` if it is there; else what was read.
  private func unlessLive(at target: DocumentAddress, _ new: [UInt8], _ before: [UInt8]?) async -> String? {
    var seen = ""
    for attempt in 1...Self.reads {
      seen = "it could not be read back"
      for place in [DocumentInput(target)] + [document].compactMap({ $0?.path == nil ? $0 : nil }) {
        guard let text = try? await place.exactBytes(on: terminal) else { continue }
        if text == new { return nil }
        seen = text == before ? "the document of before was read back" : "another text was read back"
      }
      if attempt < Self.reads { try? await sleep(Self.pause) }
    }
    return seen
  }

  /// A warning if the address of the apps does not give the new text to devices that have the text of before.
  private func devices(after tag: String?, lack new: [UInt8]) async -> [DocumentDiagnostic] {
    guard let address = document?.address else { return [] }
    let fault: String
    do {
      switch try await address.copy(after: tag, by: terminal.transport) {
      case nil: fault = "devices with the document of before are told that nothing changed"
      case new?: return []
      default: fault = "devices still get another document"
      }
    } catch { fault = "what devices get could not be read" }
    return [
      DocumentDiagnostic(
        .warning, .unseenByDevices, "\(address.name): the document was published, but \(fault)",
        help: "purge the cache, and see with `dualsend watch` when devices get it")
    ]
  }

  // MARK: By file

  /// Replaces the signature first, and restores it if the document cannot be replaced. An app that fetches in between
  /// keeps its document, because the signature does not match.
  ///
  /// - Parameter name: the document's name, which can be a link to `path`; the signature is beside it.
  private static func replace(
    _ path: String, signedBeside name: String, with bytes: [UInt8], _ signature: RolloutSignature?
  ) throws {
    let signaturePath = name + "." + RolloutSignature.fileExtension
    guard let signature else { return try InputFile.replace(path, with: bytes) }
    let before = FileManager.default.fileExists(atPath: signaturePath) ? try InputFile.exactBytes(signaturePath) : nil
    try InputFile.replace(signaturePath, with: signature.fileBytes)
    do { try InputFile.replace(path, with: bytes) } catch {
      if let before { try InputFile.replace(signaturePath, with: before) } else { try InputFile.remove(signaturePath) }
      throw error
    }
  }
}

extension DocumentDiagnostic.Code {
  /// A document was published, but devices do not get it yet.
  static let unseenByDevices = DocumentDiagnostic.Code(rawValue: "DS0416")
  /// A document was read from a cache that did not ask its origin.
  static let oldCopy = DocumentDiagnostic.Code(rawValue: "DS0417")
}
