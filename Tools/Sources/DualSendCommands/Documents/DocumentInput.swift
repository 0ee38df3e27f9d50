import ArgumentParser
import DualSendCodeGeneration
package import DualSendCommandLine
import DualSendCore
import Foundation

/// Where a verb reads a document from: a file, standard input as `-`, or the address of what is live.
package struct DocumentInput: Sendable, Hashable {
  private enum Place: Sendable, Hashable {
    case file(String)
    case standardInput
    case address(DocumentAddress)
  }

  /// What the help of a verb says of such an argument.
  package static let forms = "a file, - for standard input, or the http(s) address of what is live"
  /// What messages call standard input.
  static let standardInputName = "standard input"

  private let place: Place

  private init(place: Place) {
    self.place = place
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

  /// What stands there; unpacked where it is gzip or zstd.
  package func bytes(on console: Console) async throws -> [UInt8] {
    switch place {
    case .file(let path): try InputFile.bytes(path)
    case .standardInput: try InputFile.bytes(of: console.input, name: name)
    case .address(let address): try await address.bytes(by: console.transport)
    }
  }

  /// The documents of a folder, sorted: the folder itself if a specification in Markdown stands there, and each JSON file.
  ///
  /// - Returns: `nil` for what is no folder.
  /// - Throws: ``CommandError`` if there is none.
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

  /// Refuses a command line that reads standard input for more than one thing.
  static func checkStandardInput(_ count: Int) throws {
    if count > 1 { throw ValidationError("standard input can be read only once: name a file for the other") }
  }
}

extension DocumentInput: ExpressibleByArgument {
  /// - Returns: `nil` for an address that is none.
  init?(argument: String) {
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
