import ArgumentParser
import DualSendCommandLine
import DualSendCore
import DualSendRollout
package import Foundation

/// An `http` or `https` address on a command line.
///
/// A user and a password in it become a header field (RFC 7617). Messages show neither these nor the query, which may
/// hold a token.
package struct DocumentAddress: Sendable, Hashable {
  /// The time limit of a request.
  static let timeout = Duration.seconds(30)
  /// The size limit of a document: that of the JSON reader.
  static let maximumBytes = JSONReader().maximumBytes

  /// The address without user and password.
  package let url: URL
  /// The header fields that authenticate a request.
  package private(set) var headers: [String: String]
  /// The address as messages show it.
  package let name: String

  /// - Returns: `nil` if the text is not such an address.
  package init?(_ text: String) {
    guard var parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
      ["http", "https"].contains(scheme), parts.host?.isEmpty == false
    else { return nil }
    name = String(text.prefix { $0 != "?" && $0 != "#" }).hidingSecrets
    let credentials = parts.user.map { user in "\(user):\(parts.password ?? "")" }
    (parts.user, parts.password, parts.fragment) = (nil, nil, nil)
    guard let url = parts.url else { return nil }
    self.url = url
    headers = credentials.map { ["Authorization": "Basic " + Data($0.utf8).base64EncodedString()] } ?? [:]
  }

  /// Whether a text starts like such an address.
  static func isMeant(by text: String) -> Bool {
    let start = text.lowercased()
    return start.hasPrefix("http://") || start.hasPrefix("https://")
  }

  /// The address with header fields for each request; of several with the same name, the last one.
  func adding(_ fields: [HeaderField]) -> DocumentAddress {
    var address = self
    for field in fields { address.headers[field.name] = field.value }
    return address
  }

  /// Scheme, host, port and path: the same for each signature of a presigned address.
  var place: String {
    "\(url.scheme?.lowercased() ?? "")://\(url.host?.lowercased() ?? "")\(url.port.map { ":\($0)" } ?? "")\(url.path)"
  }

  /// The document, decompressed if it is a gzip file.
  func bytes(on terminal: Terminal) async throws -> [UInt8] {
    do { return try await liveBytes(on: terminal) } catch let error as Unreadable { throw error.reason }
  }

  /// Where the signature of the live document is.
  package enum Signature: Sendable, Hashable {
    case none
    /// In the answer.
    case header(String)
    /// In the file beside the document, with its entity tag.
    case file(text: String, tag: String?)

    /// The signature, if it is one.
    var value: RolloutSignature? {
      switch self {
      case .none: nil
      case .header(let text), .file(let text, _): RolloutSignature(base64: text)
      }
    }
  }

  /// The live document.
  struct Live: Sendable, Hashable {
    let bytes: [UInt8]
    let signature: Signature
    /// By which a device asks for something newer.
    var entityTag: String?
  }

  /// An address that gives no document.
  struct Unreadable: Error {
    let reason: CommandError
    /// `nil` if there was no answer.
    let status: Int?
    /// Whether the server does not let this be read.
    var isRefusal: Bool { [401, 403, 405, 501].contains(status) }
  }

  /// - Parameter looksForSignature: whether to ask for a signature, too.
  /// - Returns: `nil` if there is no document at the address.
  /// - Throws: ``Unreadable``, or ``CommandError``.
  func live(on terminal: Terminal, looksForSignature: Bool = true) async throws -> Live? {
    let response: HTTPTransportResponse
    do { response = try await self.response(on: terminal) } catch let error as Unreadable
      where [404, 410].contains(error.status)
    { return nil }
    let header = response.header(RolloutSignature.headerField)
    var signature = header.map { Signature.header($0) } ?? .none
    if signature == .none, looksForSignature { signature = try await signatureFile(by: terminal.transport) }
    return Live(bytes: try unpacked(response.body), signature: signature, entityTag: response.header("ETag"))
  }

  /// The live document as the server itself has it, without a look at its signature.
  func liveBytes(on terminal: Terminal) async throws -> [UInt8] { try unpacked(try await response(on: terminal).body) }

  /// What a device gets that has the document with an entity tag.
  ///
  /// - Returns: `nil` if it is told that nothing changed.
  func copy(after entityTag: String?, by transport: any HTTPTransport) async throws -> [UInt8]? {
    let response =
      try await answer(["If-None-Match": entityTag].compactMapValues { $0 }, by: transport)
    return response.status == 304 ? nil : try unpacked(response.body)
  }

  /// The answer with the document, from the server itself if the caches on the way agree. Warns of one that does not.
  private func response(on terminal: Terminal) async throws -> HTTPTransportResponse {
    let response = try await answer(["Cache-Control": "no-cache"], by: terminal.transport)
    // RFC 9111, 5.1: the time since the origin gave or confirmed it.
    if let age = response.header("Age").flatMap({ Int($0) }), age > 0 {
      terminal.report([
        DocumentDiagnostic(
          .warning, .oldCopy, "\(name): a cache answered with a copy that is \(age.counted("second")) old",
          help: "read the address of the origin, or purge the cache; there may be a newer document")
      ])
    }
    return response
  }

  private func answer(
    _ fields: [String: String], by transport: any HTTPTransport
  ) async throws -> HTTPTransportResponse {
    let fields = fields.merging(["Accept": "application/json"]) { own, _ in own }
    let request = HTTPTransportRequest(
      method: "GET", url: url, headers: headers.merging(fields) { own, _ in own }, timeout: Self.timeout,
      maximumResponseBytes: Self.maximumBytes)
    let response: HTTPTransportResponse
    do { response = try await transport.sendIdempotent(request) } catch {
      throw Unreadable(
        reason: CommandError("cannot read \(name): \(error)", help: "check the address, and whether the server runs"),
        status: nil)
    }
    guard response.status == 200 || response.status == 304 && fields["If-None-Match"] != nil else {
      throw Unreadable(
        reason: CommandError(
          "cannot read \(name): the server answered with status \(response.status)", help: Self.help(response.status)),
        status: response.status)
    }
    return response
  }

  /// The address of the signature's file.
  var signatureURL: URL? {
    var parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
    parts?.percentEncodedPath += "." + RolloutSignature.fileExtension
    return parts?.url
  }

  /// The file beside the document. What is too long for a signature is none: a site that gives a page for every address.
  ///
  /// - Throws: ``CommandError`` if it cannot be told whether there is one.
  func signatureFile(by transport: any HTTPTransport) async throws -> Signature {
    guard let url = signatureURL else { return .none }
    let request = HTTPTransportRequest(
      method: "GET", url: url, headers: headers.merging(["Cache-Control": "no-cache"]) { own, _ in own },
      timeout: Self.timeout, maximumResponseBytes: RolloutSignature.maximumTextBytes)
    let file: HTTPTransportResponse
    do { file = try await transport.sendIdempotent(request) } catch HTTPTransportError.responseTooLarge {
      return .none
    } catch {
      throw unclear("\(error)")
    }
    switch file.status {
    case 200:
      let text = String(decoding: file.body, as: UTF8.self)
      return RolloutSignature(base64: text) == nil ? .none : .file(text: text, tag: file.header("ETag"))
    case 404, 410: return .none
    default: throw unclear("status \(file.status)")
    }
  }

  private func unclear(_ reason: String) -> CommandError {
    CommandError(
      "cannot tell whether \(name) is signed: \(name).\(RolloutSignature.fileExtension): \(reason)",
      help: "let the server answer with the signature or with 404; or pass --unsigned, if apps require none")
  }

  private static func help(_ status: Int) -> String? {
    switch status {
    case 401, 403: "give a token with --header, or credentials in front of the host: `USER:PASSWORD@`"
    case 404, 410: "check the address"
    default: nil
    }
  }

  private func unpacked(_ body: [UInt8]) throws -> [UInt8] {
    guard body.starts(with: GzipStream.magic) else { return body }
    do { return try Zlib.decompress(body, limit: Self.maximumBytes) } catch {
      throw CommandError("cannot read \(name): the gzip file is damaged, or the document is too large")
    }
  }
}

extension DocumentAddress: ExpressibleByArgument {
  init?(argument: String) { self.init(argument) }
}
