import ArgumentParser
import DualSendCommandLine
import DualSendCore
package import Foundation

/// An `http` or `https` address, as somebody names it on a command line.
///
/// A user and a password in it become a header field (RFC 7617). Neither they nor the query, which may hold a token, are
/// ever shown.
package struct DocumentAddress: Sendable, Hashable {
  /// The longest time a request takes.
  static let timeout = Duration.seconds(30)
  /// The longest document read: what a JSON reader takes.
  static let maximumBytes = JSONReader().maximumBytes

  /// The address without user and password.
  package let url: URL
  /// What a request to it says beyond its own header fields.
  package let headers: [String: String]
  /// The address as messages show it.
  package let name: String

  /// - Returns: `nil` for text that is no such address.
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

  /// Whether a text is meant to be such an address.
  static func isMeant(by text: String) -> Bool {
    let start = text.lowercased()
    return start.hasPrefix("http://") || start.hasPrefix("https://")
  }

  /// What the server holds; unpacked where that is a gzip file.
  func bytes(by transport: any HTTPTransport) async throws -> [UInt8] {
    let request = HTTPTransportRequest(
      method: "GET", url: url, headers: headers.merging(["Accept": "application/json"]) { own, _ in own },
      timeout: Self.timeout, maximumResponseBytes: Self.maximumBytes)
    let response: HTTPTransportResponse
    do { response = try await transport.send(request) } catch {
      throw CommandError("cannot read \(name): \(error)", help: "check the address, and whether the server runs")
    }
    guard response.status == 200 else {
      throw CommandError(
        "cannot read \(name): the server answered with status \(response.status)", help: Self.help(response.status))
    }
    return try unpacked(response.body)
  }

  private static func help(_ status: Int) -> String? {
    switch status {
    case 401, 403: "put a user who may read it in front of the host: `USER:PASSWORD@`"
    case 404, 410: "check the address"
    default: nil
    }
  }

  private func unpacked(_ body: [UInt8]) throws -> [UInt8] {
    guard body.starts(with: GzipStream.magic) else { return body }
    do { return try Zlib.decompress(body, limit: Self.maximumBytes) } catch {
      throw CommandError("cannot read \(name): the gzip file is damaged, or holds more than a document may")
    }
  }
}

extension DocumentAddress: ExpressibleByArgument {
  init?(argument: String) { self.init(argument) }
}
