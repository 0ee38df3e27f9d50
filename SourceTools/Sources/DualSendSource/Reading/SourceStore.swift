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
