import DualSendCore
public import Foundation

/// A folder of golden files, one for each event.
public struct GoldenFolder: Sendable, Hashable {
  private static let fileExtension = ".json"
  /// File systems take names of 255 bytes; some are left for the hash, a number, and what writing a file adds.
  private static let longestStem = 180
  /// Where the folder is.
  public let url: URL

  /// Names a folder; it need not exist before something is recorded.
  public init(_ url: URL) {
    self.url = url
  }

  /// Names a folder beside the calling file.
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

  /// Writes the file of this name, and the folder if it is not there.
  public func record(_ text: String, named name: String) throws(GoldenFailure) {
    try record(text, inFile: Self.fileName(name))
  }

  /// Writes a file, and the folder if it is not there.
  public func record(_ text: String, inFile name: String) throws(GoldenFailure) {
    do {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
      try Data(text.utf8).write(to: url.appendingPathComponent(name), options: .atomic)
    } catch {
      throw .inaccessible(file: name, reason: error.localizedDescription)
    }
  }

  /// The golden files that belong to none of these names, sorted.
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

  /// The file of a name: `home.tap` → `home.tap.json`; bytes that file systems or shells take amiss become `%` and two digits.
  ///
  /// A name that is too long for a file system is cut, and a hash of all of it takes the place of the rest.
  public static func fileName(_ name: String) -> String {
    fileName(name, case: 1)
  }

  /// The file of one of several events of a name: `home.tap.json`, then `home.tap~2.json`. No name has a plain `~`.
  ///
  /// - Parameters:
  ///   - name: the event's name.
  ///   - number: which of the name's events it is, from 1.
  ///   - isHashed: whether a hash of the name is part of it, for one that differs from another's only in case.
  public static func fileName(_ name: String, case number: Int, isHashed: Bool = false) -> String {
    stem(name) + (isHashed ? "~" + hash(name) : "") + (number > 1 ? "~\(number)" : "") + fileExtension
  }

  private static func stem(_ name: String) -> String {
    // A file that is only an extension is hidden, and no other name gives a `%` without digits.
    if name.isEmpty { return "%" }
    var result = ""
    for byte in name.utf8 {
      guard result.utf8.count <= longestStem else { return result + "~" + hash(name) }
      let isPlain = isASCIILetterOrDigit(byte) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
      if isPlain || (byte == UInt8(ascii: ".") && !result.isEmpty) {
        result.unicodeScalars.append(UnicodeScalar(byte))
      } else {
        result += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
    return result
  }

  /// FNV-1a of 64 bits (Fowler, Noll, Vo): it tells long names apart and protects nothing.
  private static func hash(_ name: String) -> String {
    let hash = name.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
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
