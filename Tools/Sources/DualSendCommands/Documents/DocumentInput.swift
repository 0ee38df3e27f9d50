import ArgumentParser
import DualSendCommandLine
import DualSendCore

/// Where a verb reads a document from: a file, standard input as `-`, or the address of what is live.
struct DocumentInput: Sendable, Hashable {
  private enum Place: Sendable, Hashable {
    case file(String)
    case standardInput
    case address(DocumentAddress)
  }

  /// What the help of a verb says of such an argument.
  static let forms = "a file, - for standard input, or the http(s) address of what is live"
  /// What messages call standard input.
  static let standardInputName = "standard input"

  private let place: Place

  /// What messages call it: the file's path, or the address without its secrets.
  var name: String {
    switch place {
    case .file(let path): path
    case .standardInput: Self.standardInputName
    case .address(let address): address.name
    }
  }

  /// The path of a file or a folder; `nil` for every other place.
  var path: String? {
    if case .file(let path) = place { path } else { nil }
  }

  var isStandardInput: Bool { place == .standardInput }

  /// What stands there; unpacked where it is gzip or zstd.
  func bytes(on console: Console) async throws -> [UInt8] {
    switch place {
    case .file(let path): try InputFile.bytes(path)
    case .standardInput: try InputFile.bytes(of: console.input, name: name)
    case .address(let address): try await address.bytes(by: console.transport)
    }
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
