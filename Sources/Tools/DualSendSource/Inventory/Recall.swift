/// Compares the calls of the described functions with a plain text search for their names: each hit is a place, or counted
/// as something else.
package struct Recall: Sendable, Hashable {
  /// How often the name of a described function stands before an opening parenthesis.
  package var hits = 0
  /// Hits that are places.
  package var places = 0
  /// Calls in functions that pass their parameters on: the places are the calls of those functions.
  package var followed = 0
  /// Calls of other functions of that name, by labels or type.
  package var others = 0
  /// Declarations, comments and texts.
  package var uncalled = 0

  static func + (left: Recall, right: Recall) -> Recall {
    Recall(
      hits: left.hits + right.hits, places: left.places + right.places, followed: left.followed + right.followed,
      others: left.others + right.others, uncalled: left.uncalled + right.uncalled)
  }

  /// The offsets at which one of some names stands.
  ///
  /// - Parameter isCalled: whether an opening parenthesis must follow.
  static func search(_ text: String, for names: Set<String>, isCalled: Bool = true) -> [Int] {
    let wanted = Dictionary(grouping: names.map { Array($0.utf8) }, by: \.count)
    var text = text
    return text.withUTF8 { bytes in
      bytes.split { !isWord($0) }.filter { word in
        guard wanted[word.count]?.contains(where: { $0.elementsEqual(word) }) == true else { return false }
        return !isCalled || bytes[word.endIndex...].first == UInt8(ascii: "(")
      }.map(\.startIndex)
    }
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "_") || byte > 127 || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }
}
