import DualSendCore
package import Foundation
import GRDB

/// Whose events a store holds: a collector's host, port and path, or a kind of receiver.
///
/// The scheme, the query, user and password, headers and the wire format are no part of it, so that events that wait keep
/// their destination when a token is renewed or the format changes.
package struct StoreDestination: Sendable, Hashable {
  /// What a store notes: a hash of the destination.
  let number: Int64
  /// A file name that no other destination has and in which people find the host again.
  let fileName: String

  /// - Parameter url: where a collector's batches are posted.
  package init(_ url: URL) {
    let components = URLComponents(url: url, resolvingAgainstBaseURL: true)
    let host = (components?.host ?? "").lowercased().trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
    var path = components?.percentEncodedPath ?? url.path
    while path.hasSuffix("/") { path.removeLast() }
    let port: String =
      switch (components?.port, components?.scheme?.lowercased()) {
      case (nil, _), (80, "http"), (443, "https"): ""
      case (let port?, _): ":\(port)"
      }
    self.init("collector " + host + port + path, named: host)
  }

  init(_ receiver: any EventReceiver) {
    // A private type's context differs from build to build.
    let type = String(reflecting: type(of: receiver)).replacingOccurrences(
      of: #"\(unknown context at \$[0-9a-f]+\)\."#, with: "", options: .regularExpression)
    self.init("receiver " + type, named: type)
  }

  /// The hash is FNV-1a (Fowler, Noll, Vo) of 64 bits. It is part of the file format.
  private init(_ text: String, named name: String) {
    let hash = text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    number = Int64(bitPattern: hash)
    let readable = name.utf8.prefix(60).map { byte in
      let character = Character(UnicodeScalar(byte))
      return character.isASCII && (character.isLetter || character.isNumber || character == ".") ? character : "_"
    }
    let digits = String(hash, radix: 16)
    fileName = String(readable) + "-" + String(repeating: "0", count: 16 - digits.count) + digits + ".sqlite"
  }

  /// What a database notes, read without changing it; `nil` if it notes nothing, or cannot be read.
  static func noted(in file: URL) -> Int64? {
    // Without a database, SQLite would delete the log beside it.
    guard DamagedDatabase.startsLikeDatabase(file) else { return nil }
    var configuration = Configuration()
    configuration.readonly = true
    configuration.busyMode = .timeout(5)
    let database = try? DatabaseQueue(path: file.path, configuration: configuration)
    return (try? database?.read { try $0.storedNote(NoteKey.destination) }) ?? nil
  }
}

extension TrackerConfiguration.Destination {
  /// Whose events a tracker's store holds.
  var ofStore: StoreDestination {
    switch self {
    case .collector(let endpoint): StoreDestination(endpoint.url)
    case .receiver(let receiver, _): StoreDestination(receiver)
    }
  }
}
