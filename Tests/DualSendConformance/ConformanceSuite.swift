import DualSendCore
public import Foundation

/// The cases of `Fixtures/conformance`, which define the rollout and remapping formats.
public struct ConformanceSuite: Sendable {
  /// A file of the suite cannot be read.
  public struct Failure: Error, Sendable, CustomStringConvertible {
    /// The file and the error.
    public let description: String
  }

  /// The supported format of the files.
  public static let formatVersion: Int64 = 1

  /// All cases, by file and position.
  public let cases: [ConformanceCase]

  /// Reads a suite: a folder for each kind, with a file for each clause.
  ///
  /// - Throws: ``Failure`` if a file cannot be read, or the folder has no case.
  public init(_ folder: URL) throws {
    cases = try ConformanceCase.Kind.allCases.flatMap { kind in
      let files =
        (try? FileManager.default.contentsOfDirectory(atPath: folder.appending(path: kind.rawValue).path)) ?? []
      return try files.filter { $0.hasSuffix(".json") }.sorted().flatMap { file in
        try Self.cases(of: kind, folder: folder, name: kind.rawValue + "/" + file.dropLast(5))
      }
    }
    if cases.isEmpty { throw Failure(description: "\(folder.path) has no conformance cases") }
  }

  /// The cases of one kind.
  public func cases(of kind: ConformanceCase.Kind) -> [ConformanceCase] {
    cases.filter { $0.kind == kind }
  }

  private static func cases(of kind: ConformanceCase.Kind, folder: URL, name: String) throws -> [ConformanceCase] {
    let bytes = Array(try Data(contentsOf: folder.appending(path: name + ".json")))
    func failure(_ text: String) -> Failure { Failure(description: "\(name).json: \(text)") }
    let value: EventValue
    do { value = try JSONReader().value(bytes) } catch { throw failure(error.description) }
    guard case .object(var members) = value, members.removeValue(forKey: "formatVersion") == .int(formatVersion) else {
      throw failure("expected an object with `\"formatVersion\": \(formatVersion)`")
    }
    guard members.removeValue(forKey: "kind") == .string(kind.rawValue), members.removeValue(forKey: "clause") != nil,
      case .array(let cases)? = members.removeValue(forKey: "cases")
    else { throw failure("expected `kind`, `clause` and `cases`") }
    let shared = members
    return try cases.enumerated().map { index, value in
      guard case .object(var question) = value, case .object(let expected)? = question.removeValue(forKey: "expect")
      else {
        throw failure("case \(index + 1) has no `expect`")
      }
      return ConformanceCase(
        id: "\(name)/\(index + 1)", kind: kind, question: shared.merging(question) { $1 },
        answer: kind.defaults.merging(expected) { $1 })
    }
  }
}

extension ConformanceCase.Kind {
  /// The default members of an answer.
  fileprivate var defaults: [String: EventValue] {
    switch self {
    case .decision: ["sinks": [:]]
    case .remapping: ["clashes": 0, "conversionFailures": 0, "lossyConversions": 0, "unmapped": []]
    case .population, .inverse, .comparison, .reading: [:]
    }
  }
}
