public import Foundation
import SwiftSyntax

/// The files, read again when one is asked for: their trees together would take more memory than anybody has.
///
/// Not for several threads at once: each has a store of its own.
final class SourceStore {
  private let texts: SourceTexts
  private var kept: [Int: SwiftSource] = [:]
  private var order: [Int] = []
  private var keptBytes = 0

  /// How long the files are together whose trees are kept.
  private static let maximumBytes = 4 << 20

  init(_ texts: SourceTexts) {
    self.texts = texts
  }

  /// A file's tree; `nil` if it cannot be read any longer.
  func source(_ number: Int) -> SwiftSource? {
    if let source = kept[number] { return source }
    guard let text = texts.text(number) else { return nil }
    let source = SwiftSource(text, path: texts.paths[number], number: number)
    kept[number] = source
    order.append(number)
    keptBytes += text.utf8.count
    while keptBytes > Self.maximumBytes, order.count > 1 {
      let oldest = order.removeFirst()
      if let dropped = kept.removeValue(forKey: oldest) { keptBytes -= dropped.tree.totalLength.utf8Length }
    }
    return source
  }
}

/// The files of a run, by number.
public struct SourceTexts: Sendable {
  /// What the files are called, by number.
  public let paths: [String]
  private let read: @Sendable (Int) -> String?

  /// Files on the disk; nobody changes them while they are read.
  public init(files: [URL], names: [String]) {
    paths = names
    read = { number in (try? Data(contentsOf: files[number])).flatMap(Self.text) }
  }

  /// Texts in memory.
  public init(_ texts: [(path: String, text: String)]) {
    paths = texts.map(\.path)
    read = { texts[$0].text }
  }

  /// The same files, each read once, now: what changes on the disk meanwhile is not seen.
  public func kept() -> SourceTexts {
    SourceTexts(paths: paths, kept: paths.indices.map(read))
  }

  private init(paths: [String], kept: [String?]) {
    self.paths = paths
    read = { kept[$0] }
  }

  /// A file's text; `nil` if it cannot be read, or is not UTF-8.
  public func text(_ number: Int) -> String? { read(number) }

  /// The text of bytes that are UTF-8; `nil` for others, which `String` would repair, and so move every place.
  private static func text(_ bytes: Data) -> String? {
    let text = String(decoding: bytes, as: UTF8.self)
    return text.utf8.elementsEqual(bytes) ? text : nil
  }
}
