import DualSendCore
package import Foundation
import GRDB

/// The destination of a store's events: a collector's host, port, path and tenant, or a type of receiver.
///
/// Excludes the scheme, query, user, password, headers and wire format, so that pending events keep their destination
/// when a token is renewed or the format changes.
package struct StoreDestination: Sendable, Hashable {
  /// The hash of the destination that a store records.
  let number: Int64
  /// A file name that is unique to the destination and shows the host.
  let fileName: String

  /// - Parameters:
  ///   - url: the collector's URL.
  ///   - tenant: the key that the vendor bills by; `nil` for none. Only its hash is recorded.
  package init(_ url: URL, tenant: String? = nil) {
    let components = URLComponents(url: url, resolvingAgainstBaseURL: true)
    let host = (components?.host ?? "").lowercased().trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
    var path = components?.percentEncodedPath ?? url.path
    while path.hasSuffix("/") { path.removeLast() }
    let port: String =
      switch (components?.port, components?.scheme?.lowercased()) {
      case (nil, _), (80, "http"), (443, "https"): ""
      case (let port?, _): ":\(port)"
      }
    self.init("collector " + host + port + path + (tenant.map { "\n" + $0 } ?? ""), named: host)
  }

  init(_ receiver: any EventReceiver) {
    // The context of a private type differs between builds.
    let type = String(reflecting: type(of: receiver)).replacingOccurrences(
      of: #"\(unknown context at \$[0-9a-f]+\)\."#, with: "", options: .regularExpression)
    self.init("receiver " + type, named: type)
  }

  private init(_ text: String, named name: String) {
    number = Int64(bitPattern: FNV1a.hash(text.utf8))
    let readable = name.utf8.prefix(60).map { byte in
      let character = Character(UnicodeScalar(byte))
      return character.isASCII && (character.isLetter || character.isNumber || character == ".") ? character : "_"
    }
    fileName = String(readable) + "-" + FNV1a.hexadecimal(text.utf8) + ".sqlite"
  }

  /// The destination that a database records, read without changing the file; `nil` if it has none or cannot be read.
  static func noted(in file: URL) -> Int64? {
    // For a file that is not a database, SQLite would delete the WAL.
    guard DamagedDatabase.startsLikeDatabase(file) else { return nil }
    var configuration = Configuration()
    configuration.readonly = true
    configuration.busyMode = .timeout(5)
    let database = try? DatabaseQueue(path: file.path, configuration: configuration)
    return (try? database?.read { try $0.storedNote(NoteKey.destination) }) ?? nil
  }
}

extension TrackerConfiguration.Destination {
  /// The destination of the events in a tracker's store.
  var ofStore: StoreDestination {
    switch self {
    case .collector(let endpoint): StoreDestination(endpoint.url, tenant: endpoint.tenant ?? endpoint.format.tenant)
    case .receiver(let receiver, _): StoreDestination(receiver)
    }
  }
}
