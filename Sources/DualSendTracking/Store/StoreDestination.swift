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
  /// The hash of the tenant, or of a sink's module; `nil` for others.
  let tenant: Int64?
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
    self.init(
      "collector " + host + port + path + (tenant.map { "\n" + $0 } ?? ""), named: host,
      tenant: tenant.map { "tenant " + $0 })
  }

  /// - Parameter origin: the place in the code that made it, because two may use one name: the module, which separates them, and
  ///   the file and line, by which each prefers its own database; `nil` if not known.
  init(_ receiver: any EventReceiver, from origin: String? = nil) {
    // The context of a private type differs between builds.
    let type = String(reflecting: type(of: receiver)).replacingOccurrences(
      of: #"\(unknown context at \$[0-9a-f]+\)\."#, with: "", options: .regularExpression)
    let module = origin.map { "module " + $0.prefix { $0 != "/" } }
    self.init("receiver " + type + (origin.map { "\n" + $0 } ?? ""), named: type, tenant: module)
  }

  /// Whether events for the other destination must not be sent to this one, even if a store is for any address: both name
  /// a tenant, and not the same one.
  func excludes(_ other: StoreDestination) -> Bool { excludes(tenant: other.tenant) }

  func excludes(tenant other: Int64?) -> Bool {
    guard let tenant, let other else { return false }
    return tenant != other
  }

  private init(_ text: String, named name: String, tenant: String?) {
    self.tenant = tenant.map { Int64(bitPattern: FNV1a.hash($0.utf8)) }
    number = Int64(bitPattern: FNV1a.hash(text.utf8))
    let readable = name.utf8.prefix(60).map { byte in
      let character = Character(UnicodeScalar(byte))
      return character.isASCII && (character.isLetter || character.isNumber || character == ".") ? character : "_"
    }
    fileName = String(readable) + "-" + FNV1a.hexadecimal(text.utf8) + ".sqlite"
  }

  /// The destination that a database records, read without changing the file; `nil` if it has none or cannot be read.
  static func noted(in file: URL, as key: String = NoteKey.destination) -> Int64? {
    // For a file that is not a database, SQLite would delete the WAL.
    guard DamagedDatabase.startsLikeDatabase(file) else { return nil }
    var configuration = Configuration()
    configuration.readonly = true
    configuration.busyMode = .timeout(5)
    let database = try? DatabaseQueue(path: file.path, configuration: configuration)
    return (try? database?.read { try $0.storedNote(key) }) ?? nil
  }
}

extension TrackerConfiguration {
  /// The destination of the events in a tracker's store.
  var destinationOfStore: StoreDestination {
    switch destination {
    case .collector(let endpoint): endpoint.destination
    case .receiver(let receiver, _): StoreDestination(receiver, from: sinkOrigin)
    }
  }
}

extension TrackingEndpoint {
  /// The destination of the events that wait for it.
  var destination: StoreDestination { StoreDestination(url, tenant: tenant ?? format.tenant) }
}
