package import DualSendCommandLine
import DualSendCore
import DualSendRollout
import Foundation

/// Where a document is live: a file, an address that takes PUT, or both; and the address at which apps read it, if that is
/// another one.
package struct PublicationTarget: Sendable, Hashable {
  /// What is live now.
  package struct Live: Sendable, Hashable {
    /// The text that apps fetch: of the address, else of the file. `nil` if there is no document yet.
    package let bytes: [UInt8]?
    /// The text of the file; `nil` without a file.
    let fileBytes: [UInt8]?
    /// What the address takes with `If-Match`.
    let entityTag: String?
    /// Whether the address itself can be read; one that only takes PUT cannot.
    let isReadable: Bool
    /// By which a device at the apps' address asks for something newer.
    let deviceTag: String?
    let signature: DocumentAddress.Signature
    /// The text at the apps' address, if it is another one.
    let appsBytes: [UInt8]?

    package var isSigned: Bool { signature != .none }

    /// What a file of the signature has; `nil` without one.
    package var signatureBytes: [UInt8]? { signature.value?.fileBytes }
  }

  /// The file's path, as it was named.
  package let file: String?
  package let address: DocumentAddress?
  /// The address at which apps read, if it is not ``address``.
  package let apps: DocumentAddress?

  /// - Parameters:
  ///   - document: what apps read, or its file.
  ///   - address: where to PUT; by default the document, if that is an address.
  ///   - headers: header fields of each request to the host of the address.
  package init(_ document: DocumentInput?, at address: DocumentAddress? = nil, headers: [HeaderField] = []) {
    file = document?.path
    let named = address ?? document?.address
    let target = named?.adding(headers)
    self.address = target
    apps = document?.address.flatMap { apps in
      guard let target, apps.url != target.url else { return nil }
      // A secret goes to the host that it is for.
      return apps.url.host == target.url.host && apps.url.port == target.url.port ? apps.adding(headers) : apps
    }
  }

  /// Where the document that is published can be read: by the apps' address, if only the query differs, as that of a signed
  /// request does.
  var origin: DocumentAddress? { apps?.place == address?.place ? apps ?? address : address }

  /// The apps' address, if it is of another document, such as the copy of a cache.
  var edge: DocumentAddress? { apps?.place == address?.place ? nil : apps }

  /// What messages call it.
  package var name: String { apps?.name ?? address?.name ?? file ?? "" }

  /// Reads it, with its signature, from the servers themselves if the caches on the way agree.
  ///
  /// - Throws: ``CommandError`` if it cannot be read, or if it cannot be told whether it is signed.
  package func read(on terminal: Terminal, isUnsigned: Bool = false) async throws -> Live {
    do { return try await read(on: terminal, looksForSignature: !isUnsigned) } catch let error
      as DocumentAddress.Unreadable
    {
      throw error.reason
    }
  }

  private func read(on terminal: Terminal, looksForSignature: Bool) async throws -> Live {
    let fileBytes = try file.flatMap { try InputFile.exactBytesIfAny($0) }
    let fileText = looksForSignature ? try file.flatMap { try Self.signature(beside: $0) } : nil
    let fileSignature =
      fileText.map { DocumentAddress.Signature.file(text: String(decoding: $0, as: UTF8.self), tag: nil) } ?? .none
    guard let origin else {
      return Live(
        bytes: fileBytes, fileBytes: fileBytes, entityTag: nil, isReadable: true, deviceTag: nil,
        signature: fileSignature, appsBytes: nil)
    }
    var (live, deviceTag, appsBytes) = (DocumentAddress.Live?.none, String?.none, [UInt8]?.none)
    var isReadable = true
    if let edge {
      let seen = try await edge.live(on: terminal, looksForSignature: looksForSignature)
      (deviceTag, appsBytes) = (seen?.entityTag, seen?.bytes)
      // An address that only takes PUT is compared by what apps read.
      do { live = try await origin.live(on: terminal, looksForSignature: looksForSignature) } catch let error
        as DocumentAddress.Unreadable
      {
        guard error.isRefusal, var seen else { throw error }
        seen.entityTag = nil
        (live, isReadable) = (seen, false)
      }
      // The signature can be where apps read it alone.
      if let seen, seen.signature != .none, let one = live, one.signature == .none {
        live = DocumentAddress.Live(bytes: one.bytes, signature: .header(""), entityTag: one.entityTag)
      }
    } else {
      live = try await origin.live(on: terminal, looksForSignature: looksForSignature)
      deviceTag = live?.entityTag
    }
    let signature = live?.signature ?? .none
    return Live(
      bytes: live?.bytes, fileBytes: fileBytes, entityTag: live?.entityTag, isReadable: isReadable,
      deviceTag: deviceTag,
      signature: signature == .none ? fileSignature : signature,
      appsBytes: appsBytes == live?.bytes ? nil : appsBytes)
  }

  // MARK: The signature's files

  /// Where the signature of a file can be: beside its name, and beside the file that a link leads to.
  static func signaturePlaces(beside path: String) -> [String] {
    let name = URL(fileURLWithPath: path)
    let folder = InputFile.resolvingLinks(name.deletingLastPathComponent().path)
    let target = InputFile.resolvingLinks(path)
    let isLink = target != (folder as NSString).appendingPathComponent(name.lastPathComponent)
    return ([path] + (isLink ? [target] : [])).map { $0 + "." + RolloutSignature.fileExtension }
  }

  /// The text of the first one; `nil` if there is none.
  package static func signature(beside path: String) throws -> [UInt8]? {
    for place in signaturePlaces(beside: path) {
      if let bytes = try InputFile.exactBytesIfAny(place) { return bytes }
    }
    return nil
  }
}
