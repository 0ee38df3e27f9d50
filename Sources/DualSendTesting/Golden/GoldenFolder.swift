@_spi(Tools) import DualSendCore
public import Foundation

/// A folder of golden files, one for each event.
public struct GoldenFolder: Sendable, Hashable {
  private static let fileExtension = ".json"
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
    let file = self.file(name)
    guard FileManager.default.fileExists(atPath: file.path) else { return .missing }
    let golden: String
    do { golden = try String(decoding: Data(contentsOf: file), as: UTF8.self) } catch {
      throw .inaccessible(file: Self.fileName(name), reason: error.localizedDescription)
    }
    return golden.isExactly(text) ? .matches : .differs(LineDiff(from: golden, to: text).description)
  }

  /// Writes the file of this name, and the folder if it is not there.
  public func record(_ text: String, named name: String) throws(GoldenFailure) {
    do {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file(name), options: .atomic)
    } catch {
      throw .inaccessible(file: Self.fileName(name), reason: error.localizedDescription)
    }
  }

  /// The golden files that belong to none of these names, sorted.
  public func orphans(besides names: some Sequence<String>) throws(GoldenFailure) -> [String] {
    guard FileManager.default.fileExists(atPath: url.path) else { return [] }
    let found: [String]
    do { found = try FileManager.default.contentsOfDirectory(atPath: url.path) } catch {
      throw .inaccessible(file: url.lastPathComponent, reason: error.localizedDescription)
    }
    let expected = Set(names.map { ExactText(Self.fileName($0)) })
    return found.filter { $0.hasSuffix(Self.fileExtension) && !expected.contains(ExactText($0)) }
      .sorted(by: String.byteOrder)
  }

  private func file(_ name: String) -> URL {
    url.appendingPathComponent(Self.fileName(name))
  }

  /// The file of a name: `home.tap` → `home.tap.json`; bytes that file systems or shells take amiss become `%` and two digits.
  public static func fileName(_ name: String) -> String {
    var result = ""
    for byte in name.utf8 {
      let isPlain = isASCIILetterOrDigit(byte) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
      if isPlain || (byte == UInt8(ascii: ".") && !result.isEmpty) {
        result.unicodeScalars.append(UnicodeScalar(byte))
      } else {
        result += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
    return result + fileExtension
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
