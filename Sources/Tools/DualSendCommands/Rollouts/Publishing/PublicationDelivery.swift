import DualSend
import DualSendCommandLine
import DualSendCore
import DualSendRollout
import DualSendRolloutAnalysis
import Foundation

/// The steps of a ``PublicationAct`` that change the target: compare and swap, and read back.
struct PublicationDelivery: Sendable {
  /// The target is known to be unchanged, or to have another's text.
  struct Refusal: Error {
    let reason: CommandError
  }

  private static let timeout = Duration.seconds(30)
  /// How often an address is read until it is known what it has, and the time between.
  static let (reads, pause) = (5, Duration.seconds(1))

  private let target: PublicationTarget
  private let new: RolloutText
  private let signature: RolloutSignature?
  /// What was read right before.
  private let before: PublicationTarget.Live
  /// What a kill stops.
  private let stops: [EventPattern]
  /// The file that links lead to.
  private let file: String?
  private let terminal: Terminal
  private let sleep: @Sendable (Duration) async throws -> Void

  init(
    _ target: PublicationTarget, _ new: RolloutText, _ signature: RolloutSignature?,
    over before: PublicationTarget.Live, stops: [EventPattern], on terminal: Terminal,
    sleep: @escaping @Sendable (Duration) async throws -> Void
  ) {
    (self.target, self.new, self.signature, self.before) = (target, new, signature, before)
    (self.stops, self.terminal, self.sleep) = (stops, terminal, sleep)
    file = target.file.map(InputFile.resolvingLinks)
  }

  /// Publishes to the address, or replaces the file if there is no address.
  ///
  /// - Returns: warnings about what devices still get.
  /// - Throws: ``Refusal`` if the target does not have the text; any other error if that is not known.
  func send() async throws -> [DocumentDiagnostic] {
    guard let address = target.address else {
      do { try replaceFile() } catch let error as CommandError { throw Refusal(reason: error) }
      return []
    }
    let start = ContinuousClock.now
    var warnings = try await put(to: address)
    if signature != nil { try await sign() }
    // Another can have compared before this text came and written after it, where the server itself does not compare.
    try? await sleep(max(Self.pause, start.duration(to: .now) * 2))
    warnings += try await seeAgain(at: address)
    return warnings + (await devices())
  }

  // MARK: By PUT

  private func put(to address: DocumentAddress) async throws -> [DocumentDiagnostic] {
    var headers = address.headers.merging(["Content-Type": "application/json"]) { own, _ in own }
    headers[RolloutSignature.headerField] = signature?.description
    if before.bytes == nil { headers["If-None-Match"] = "*" }
    // A weak tag matches nothing (RFC 9110, 13.1.1).
    if let tag = before.entityTag, !tag.hasPrefix("W/") { headers["If-Match"] = tag }
    let answer = try await send("PUT", address.url, headers, new.bytes, to: address)
    var seen = ""
    for attempt in 1...Self.reads {
      do {
        let text = try await place(address).liveBytes(on: terminal)
        if text == new.bytes { return [] }
        if signature == nil, Self.meansTheSame(text, new.bytes) {
          return [
            DocumentDiagnostic(
              .warning, .unseenByDevices, "\(address.name) has the document in another layout than was sent",
              help: "let the server keep the bytes: a signature would not match")
          ]
        }
        seen = text == before.bytes ? "the document of before was read back" : "another text was read back"
      } catch { seen = "it could not be read back" }
      if attempt < Self.reads { try? await sleep(Self.pause) }
    }
    throw CommandError("it is not known whether \(address.name) has the new document: \(answer), and \(seen)")
  }

  /// - Returns: words for what was answered.
  /// - Throws: ``Refusal`` if the server did not take it.
  private func send(
    _ method: String, _ url: URL, _ headers: [String: String], _ body: [UInt8], to address: DocumentAddress
  ) async throws -> String {
    let request = HTTPTransportRequest(
      method: method, url: url, headers: headers, body: body, timeout: Self.timeout, maximumResponseBytes: 1 << 20)
    let status: Int
    do { status = try await terminal.transport.send(request).status } catch { return "\(error)" }
    if status == 412 {
      throw Refusal(
        reason: CommandError(
          "\(address.name) was changed in between: another published first; nothing is published",
          help: "check the new document, and try again; if it is the same one, a cache answers at this address"))
    }
    // What refuses a request did not take it.
    guard (200..<300).contains(status) || status >= 500 else {
      throw Refusal(
        reason: CommandError(
          "\(address.name) refused the document: status \(status)", help: "check the address and --header"))
    }
    return "it answered with status \(status)"
  }

  /// Where the text can be read back: an address that only takes PUT is seen by the apps' one.
  private func place(_ address: DocumentAddress) -> DocumentAddress {
    (before.isReadable ? target.origin : target.edge) ?? address
  }

  private static func meansTheSame(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    guard let left = try? JSONReader().value(left), let right = try? JSONReader().value(right) else { return false }
    return left.canonicalText.isExactly(right.canonicalText)
  }

  /// Looks whether the text is still live a moment later.
  private func seeAgain(at address: DocumentAddress) async throws -> [DocumentDiagnostic] {
    guard let text = try? await place(address).liveBytes(on: terminal) else {
      throw CommandError("it is not known whether \(address.name) has the new document: it could not be read again")
    }
    if text == new.bytes || Self.meansTheSame(text, new.bytes) { return [] }
    guard let other = try? RolloutText(live: text, name: address.name),
      other.document.revision > new.document.revision,
      stops.isEmpty
        || (try? RolloutLowering(stops, to: .none).rest(in: other.document).allSatisfy { !$0.units.isEmpty }) == true
    else {
      throw Refusal(
        reason: CommandError(
          "\(address.name) had the new document, and another text replaced it at the same time; it is not in force",
          help: "check the new document, and try again; let the server compare entity tags (`If-Match`)"))
    }
    return [
      DocumentDiagnostic(
        .warning, .changedOutside,
        "revision \(new.document.revision) was published; revision \(other.document.revision) of another followed",
        file: address.name, help: "see what it changed with `dualsend plan`")
    ]
  }

  /// A warning if an address does not give the new text to devices that have the text of before.
  private func devices() async -> [DocumentDiagnostic] {
    guard let address = target.apps ?? target.address, before.bytes != nil else { return [] }
    let fault: String
    do {
      switch try await address.copy(after: before.deviceTag, by: terminal.transport) {
      case nil: fault = "devices with the document of before are told that nothing changed"
      case let text? where text == new.bytes || Self.meansTheSame(text, new.bytes): return []
      default: fault = "devices still get another document"
      }
    } catch { fault = "what devices get could not be read" }
    return [
      DocumentDiagnostic(
        .warning, .unseenByDevices, "\(address.name): the document was published, but \(fault)",
        help: "purge the cache, and see with `dualsend watch` when devices get it")
    ]
  }

  // MARK: The signature

  /// Puts the signature of a text that is live where apps look for it, unless it is there.
  ///
  /// Comes after the document: an app that fetches in between keeps its own, because the signature does not match.
  func sign() async throws {
    guard let signature else { return }
    guard let address = target.address else { return try writeSignature(signature) }
    var reason = ""
    for attempt in 1...Self.reads {
      let live = try await place(address).live(on: terminal)
      guard live?.bytes == new.bytes else { break }
      if live?.signature.value == signature { return }
      if case .header? = live?.signature {
      } else if let url = address.signatureURL {
        var headers = address.headers.merging(["Content-Type": "text/plain"]) { own, _ in own }
        if case .file(_, let tag?)? = live?.signature, !tag.hasPrefix("W/") { headers["If-Match"] = tag }
        do { reason = try await send("PUT", url, headers, signature.fileBytes, to: address) } catch let error as Refusal
        {
          reason = error.reason.message
        }
      }
      if attempt < Self.reads { try? await sleep(Self.pause) }
    }
    let cause = reason.isEmpty ? "" : ": \(reason)"
    throw CommandError("\(address.name) has the new document, but not its signature; apps refuse it\(cause)")
  }

  // MARK: By file

  /// Replaces the file, if there is one, and then its signature. Both are on disk before the first is replaced.
  func replaceFile() throws {
    guard let path = target.file else { return }
    guard InputFile.resolvingLinks(path) == file else {
      throw CommandError("\(path) was linked to another file in between", help: "check the document, and try again")
    }
    guard try InputFile.exactBytesIfAny(path) == before.fileBytes else {
      throw CommandError(
        "\(path) was changed in between; nothing is published", help: "check the document, and try again")
    }
    let document = try FileReplacement(path, with: new.bytes)
    do {
      let signatures = try signature.map { try places(beside: path, $0) } ?? []
      try document.commit()
      for signature in signatures { try signature.commit() }
    } catch {
      document.discard()
      throw error
    }
  }

  private func writeSignature(_ signature: RolloutSignature) throws {
    guard let path = target.file else { return }
    for place in try places(beside: path, signature) { try place.commit() }
  }

  private func places(beside path: String, _ signature: RolloutSignature) throws -> [FileReplacement] {
    let places = PublicationTarget.signaturePlaces(beside: path)
    let present = try places.filter { try InputFile.exactBytesIfAny($0) != nil }
    return try (present.isEmpty ? places : present).map { try FileReplacement($0, with: signature.fileBytes) }
  }
}

extension DocumentDiagnostic.Code {
  /// A document was published, but devices do not get it yet.
  static let unseenByDevices = DocumentDiagnostic.Code(rawValue: "DS0416")
  /// A document was read from a cache that did not ask its origin.
  static let oldCopy = DocumentDiagnostic.Code(rawValue: "DS0417")
}
