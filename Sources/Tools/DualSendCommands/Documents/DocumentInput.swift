import ArgumentParser
import DualSendCodeGeneration
package import DualSendCommandLine
import DualSendCore
import DualSendRollout
import Foundation

/// The source of a document: a file, `-` for standard input, or the address of the live document.
package struct DocumentInput: Sendable, Hashable {
  private enum Place: Sendable, Hashable {
    case file(String)
    case standardInput
    case address(DocumentAddress)
  }

  /// The help text for such an argument.
  package static let forms = "a file, - for standard input, or the http(s) address of the live document"
  /// What messages call standard input.
  static let standardInputName = "standard input"

  private let place: Place

  private init(place: Place) {
    self.place = place
  }

  /// The document at an address.
  package init(_ address: DocumentAddress) {
    place = .address(address)
  }

  /// What messages call it: the file's path, or the address without its secrets.
  package var name: String {
    switch place {
    case .file(let path): path
    case .standardInput: Self.standardInputName
    case .address(let address): address.name
    }
  }

  /// The path of a file or a folder; `nil` for every other place.
  package var path: String? {
    if case .file(let path) = place { path } else { nil }
  }

  package var isStandardInput: Bool { place == .standardInput }

  /// The document, decompressed if it is gzip or zstd.
  ///
  /// - Parameter fields: header fields of the request to an address.
  package func bytes(_ fields: [HeaderField] = [], on terminal: Terminal) async throws -> [UInt8] {
    switch place {
    case .file(let path): try InputFile.bytes(path)
    case .standardInput: try InputFile.bytes(of: terminal.input, name: name)
    case .address(let address): try await address.adding(fields).bytes(on: terminal)
    }
  }

  /// The address, if it is one.
  var address: DocumentAddress? {
    if case .address(let address) = place { address } else { nil }
  }

  /// The documents of a folder, sorted: the folder itself if a specification in Markdown stands there, and each JSON file.
  ///
  /// - Returns: `nil` if this is not a folder.
  /// - Throws: ``CommandError`` if the folder holds no document.
  func documentsBelow() throws -> [DocumentInput]? {
    guard let path, EventSpecification.isFolder(URL(fileURLWithPath: path)) else { return nil }
    let files = try InputFile.inFolder(path) { try FileManager.default.subpathsOfDirectory(atPath: path) }
      .filter { $0.hasSuffix(".json") && !$0.split(separator: "/").contains { $0.hasPrefix(".") } }
      .sorted(by: String.byteOrder)
    let prefix = path.hasSuffix("/") ? path : path + "/"
    let specification = try SpecificationInput.markdownFiles(at: path)?.isEmpty == false ? [self] : []
    let documents = specification + files.map { DocumentInput(place: .file(prefix + $0)) }
    if documents.isEmpty { throw CommandError("\(path) holds no document", help: "documents end in .json or .md") }
    return documents
  }

  /// Refuses a command line that reads standard input more than once.
  static func checkStandardInput(_ count: Int) throws {
    if count > 1 { throw ValidationError("standard input can be read only once: name a file for the other") }
  }
}

extension DocumentInput: ExpressibleByArgument {
  /// - Returns: `nil` for a malformed address.
  package init?(argument: String) {
    if argument == "-" {
      place = .standardInput
    } else if DocumentAddress.isMeant(by: argument) {
      guard let address = DocumentAddress(argument) else { return nil }
      place = .address(address)
    } else {
      place = .file(argument)
    }
  }
}
