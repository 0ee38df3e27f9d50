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
  package let headers: [String: String]
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

  /// The document, decompressed if it is a gzip file.
  func bytes(on terminal: Terminal) async throws -> [UInt8] {
    try unpacked(try await response(on: terminal).body)
  }

  /// The live document.
  struct Live: Sendable, Hashable {
    let bytes: [UInt8]
    /// Whether it has a signature: in the answer, or in the file beside it.
    let isSigned: Bool
    /// By which a device asks for something newer.
    var entityTag: String?
  }

  func live(on terminal: Terminal) async throws -> Live {
    let response = try await response(on: terminal)
    let isSigned =
      if response.header(RolloutSignature.headerField) != nil { true } else {
        await hasSignatureFile(by: terminal.transport)
      }
    return Live(bytes: try unpacked(response.body), isSigned: isSigned, entityTag: response.header("ETag"))
  }

  /// What a device gets that has the document with an entity tag.
  ///
  /// - Returns: `nil` if it is told that nothing changed.
  func copy(after entityTag: String?, by transport: any HTTPTransport) async throws -> [UInt8]? {
    let response = try await answer(["If-None-Match": entityTag].compactMapValues { $0 }, by: transport)
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
      throw CommandError("cannot read \(name): \(error)", help: "check the address, and whether the server runs")
    }
    guard response.status == 200 || response.status == 304 && fields["If-None-Match"] != nil else {
      throw CommandError(
        "cannot read \(name): the server answered with status \(response.status)", help: Self.help(response.status))
    }
    return response
  }

  private func hasSignatureFile(by transport: any HTTPTransport) async -> Bool {
    guard var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return false }
    parts.percentEncodedPath += "." + RolloutSignature.fileExtension
    guard let url = parts.url else { return false }
    let request = HTTPTransportRequest(
      method: "GET", url: url, headers: headers, timeout: Self.timeout,
      maximumResponseBytes: RolloutSignature.maximumTextBytes)
    // Too long for a signature: a site that responds to every address with a page.
    guard let file = try? await transport.sendIdempotent(request), file.status == 200 else { return false }
    return RolloutSignature(base64: String(decoding: file.body, as: UTF8.self)) != nil
  }

  private static func help(_ status: Int) -> String? {
    switch status {
    case 401, 403: "put the credentials of a user who may read it in front of the host: `USER:PASSWORD@`"
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
