import DualSendCore
public import Foundation

/// A folder of golden files, one for each event.
public struct GoldenFolder: Sendable, Hashable {
  private static let fileExtension = ".json"
  /// File systems allow names of 255 bytes. The rest is for the hash, a number and temporary suffixes.
  private static let longestStem = 180
  /// The folder's URL.
  public let url: URL

  /// Creates a reference to a folder, which need not exist.
  public init(_ url: URL) {
    self.url = url
  }

  /// Creates a reference to a folder next to the calling file.
  public init(_ name: String = "Golden", beside file: String = #filePath) {
    self.init(URL(fileURLWithPath: file).deletingLastPathComponent().appendingPathComponent(name))
  }

  /// Compares a text with the file of this name.
  public func verdict(on text: String, named name: String) throws(GoldenFailure) -> GoldenVerdict {
    try verdict(on: text, inFile: Self.fileName(name))
  }

  /// Compares a text with a file.
  public func verdict(on text: String, inFile name: String) throws(GoldenFailure) -> GoldenVerdict {
    let file = url.appendingPathComponent(name)
    guard FileManager.default.fileExists(atPath: file.path) else { return .missing }
    let golden: String
    do { golden = try String(decoding: Data(contentsOf: file), as: UTF8.self) } catch {
      throw .inaccessible(file: name, reason: error.localizedDescription)
    }
    return golden.isExactly(text) ? .matches : .differs(LineDiff(from: golden, to: text).description)
  }

  /// Writes the file of this name, and creates the folder if necessary.
  public func record(_ text: String, named name: String) throws(GoldenFailure) {
    try record(text, inFile: Self.fileName(name))
  }

  /// Writes a file, and creates the folder if necessary.
  public func record(_ text: String, inFile name: String) throws(GoldenFailure) {
    do {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
      try Data(text.utf8).write(to: url.appendingPathComponent(name), options: .atomic)
    } catch {
      throw .inaccessible(file: name, reason: error.localizedDescription)
    }
  }

  /// The golden files without one of these names, sorted.
  public func orphans(besides names: some Sequence<String>) throws(GoldenFailure) -> [String] {
    try orphans(besidesFiles: Set(names.map { Self.fileName($0) }))
  }

  /// The golden files that are none of these, sorted.
  public func orphans(besidesFiles expected: Set<String>) throws(GoldenFailure) -> [String] {
    guard FileManager.default.fileExists(atPath: url.path) else { return [] }
    let found: [String]
    do { found = try FileManager.default.contentsOfDirectory(atPath: url.path) } catch {
      throw .inaccessible(file: url.lastPathComponent, reason: error.localizedDescription)
    }
    let expected = Set(expected.map(ExactText.init))
    return found.filter { $0.hasSuffix(Self.fileExtension) && !expected.contains(ExactText($0)) }
      .sorted(by: String.byteOrder)
  }

  /// The file name of an event name: `home.tap` → `home.tap.json`. Bytes that are special to file systems or shells
  /// become `%` and two digits.
  ///
  /// A name that is too long is truncated and gets a hash of the whole name.
  public static func fileName(_ name: String) -> String {
    fileName(name, case: 1)
  }

  /// The file name of one of several events with the same name: `home.tap.json`, then `home.tap~2.json`. Encoded names
  /// contain no `~`.
  ///
  /// - Parameters:
  ///   - name: the event's name.
  ///   - number: the number of the event, from 1.
  ///   - isHashed: whether to add a hash of the name, for a name that differs from another only in case.
  public static func fileName(_ name: String, case number: Int, isHashed: Bool = false) -> String {
    stem(name) + (isHashed ? "~" + FNV1a.hexadecimal(name.utf8) : "") + (number > 1 ? "~\(number)" : "") + fileExtension
  }

  private static func stem(_ name: String) -> String {
    // Not empty, because a file that is only an extension is hidden. No other name gives a `%` without digits.
    if name.isEmpty { return "%" }
    var result = ""
    for byte in name.utf8 {
      guard result.utf8.count <= longestStem else { return result + "~" + FNV1a.hexadecimal(name.utf8) }
      let isPlain = isASCIILetterOrDigit(byte) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
      if isPlain || (byte == UInt8(ascii: ".") && !result.isEmpty) {
        result.unicodeScalars.append(UnicodeScalar(byte))
      } else {
        result += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
    return result
  }

  private static func isASCIILetterOrDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }
}

// MARK: - Line diff

/// The line difference of two texts: `-` for removed and `+` for added lines, with context.
///
/// Ignores trailing commas if there are other differences, so that adding a last member to an object changes one line,
/// not two.
struct LineDiff: CustomStringConvertible {
  private static let contextLines = 3
  private let lines: [(mark: Character, text: String)]

  init(from old: String, to new: String) {
    let (old, new) = (Self.lines(of: old), Self.lines(of: new))
    let withoutCommas = EditStep.steps(from: old.map(\.withoutComma), to: new.map(\.withoutComma))
    let isAboutCommas = withoutCommas.allSatisfy { $0.kind == .same }
    lines = (isAboutCommas ? EditStep.steps(from: old, to: new) : withoutCommas).map { step in
      (step.kind.mark, step.kind == .removed ? old[step.old].text : new[step.new].text)
    }
  }

  private static func lines(of text: String) -> [ExactText] {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { ExactText(String($0)) }
  }

  /// The changed lines with context; `…` marks omitted lines.
  var description: String {
    let changed = lines.indices.filter { lines[$0].mark != " " }
    let shown = Set(changed.flatMap { $0 - Self.contextLines...$0 + Self.contextLines })
    var result: [String] = []
    var last: Int?
    for index in lines.indices where shown.contains(index) {
      if index > (last ?? -1) + 1 { result.append("…") }
      result.append("\(lines[index].mark) \(lines[index].text)")
      last = index
    }
    return result.joined(separator: "\n")
  }
}

extension ExactText {
  fileprivate var withoutComma: ExactText { text.hasSuffix(",") ? ExactText(String(text.dropLast())) : self }
}
