/// Numbers for the keys of one object after another; quickest when they come in the same order each time.
struct KeyNumbers {
  /// What is known of a key.
  enum Answer {
    case known(Int)
    /// The key was never met; it may be given a number with ``KeyNumbers/learn(_:number:at:)``.
    case new(String)
    /// The key stands twice in this object, or is not plain ASCII, or there are too many.
    case unusable
  }

  /// Keys that are data would fill memory; beyond this many no more are learned.
  static let maximumKeys = FieldTally.maximumFields

  private var numbers: [String: Int] = [:]
  private var lastOrder: [(key: [UInt8], number: Int)] = []
  /// The object in which each number was last met.
  private var lastMet: [Int] = []
  private var object = 0

  /// Starts the next object.
  mutating func begin() {
    object += 1
  }

  /// - Parameter position: the how-many-th key of its object it is.
  mutating func number(of key: Slice<UnsafeBufferPointer<UInt8>>, at position: Int) -> Answer {
    if position < lastOrder.count, lastOrder[position].key.elementsEqual(key) {
      return meet(lastOrder[position].number)
    }
    // Outside ASCII, equal keys may have different bytes; with escapes, everywhere.
    guard key.allSatisfy({ (0x20..<0x7F).contains($0) && $0 != UInt8(ascii: "\\") }) else { return .unusable }
    let text = String(decoding: key, as: UTF8.self)
    guard let number = numbers[text] else { return numbers.count < Self.maximumKeys ? .new(text) : .unusable }
    expect(Array(key), number, at: position)
    return meet(number)
  }

  mutating func learn(_ key: String, number: Int, at position: Int) {
    numbers[key] = number
    expect(Array(key.utf8), number, at: position)
    _ = meet(number)
  }

  private mutating func expect(_ key: [UInt8], _ number: Int, at position: Int) {
    if position < lastOrder.count {
      lastOrder[position] = (key, number)
    } else if position == lastOrder.count {
      lastOrder.append((key, number))
    }
  }

  private mutating func meet(_ number: Int) -> Answer {
    while lastMet.count <= number { lastMet.append(0) }
    guard lastMet[number] != object else { return .unusable }
    lastMet[number] = object
    return .known(number)
  }
}
