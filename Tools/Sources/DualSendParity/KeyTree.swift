import Foundation

/// Numbers for the keys of one payload after another, nested objects included; quickest when they come in the same order
/// each time.
struct KeyTree {
  /// The number of the payload itself.
  static let root = 0
  /// Keys that are data would fill memory; beyond this many no more are learned.
  private static let maximumKeys = FieldTally.maximumFields

  private struct Node {
    /// Where the key lies among all keys' bytes.
    let key: Range<Int>
    /// The payload in which it was last met.
    var lastMet = 0
    /// The member that came first the last time.
    var firstMember: Int?
    /// The member that came next in the same object the last time.
    var nextMember: Int?
  }

  private struct Name: Hashable {
    let parent: Int
    let key: String
  }

  private var nodes = [Node(key: 0..<0)]
  private var numbers: [Name: Int] = [:]
  private var keys: [UInt8] = []
  private var payload = 0

  /// Starts the next payload.
  mutating func begin() {
    payload += 1
  }

  /// The number of an object's member; the first new one is 1, the next 2, and so on.
  ///
  /// - Parameters:
  ///   - key: as it is written, without quotes.
  ///   - sibling: the number of the member before; `nil` for the first.
  /// - Returns: `nil` if the key stands twice in its object, or is not plain ASCII, or there are too many.
  @inline(__always)
  mutating func member(_ key: UnsafeBufferPointer<UInt8>, of parent: Int, after sibling: Int?) -> Int? {
    let expected = sibling.map { nodes[$0].nextMember } ?? nodes[parent].firstMember
    if let expected, isKey(of: expected, key) { return meet(expected) }
    guard let number = search(key, of: parent) else { return nil }
    if let sibling { nodes[sibling].nextMember = number } else { nodes[parent].firstMember = number }
    return meet(number)
  }

  /// The key's text.
  func text(_ number: Int) -> String {
    String(decoding: keys[nodes[number].key], as: UTF8.self)
  }

  private func isKey(of number: Int, _ key: UnsafeBufferPointer<UInt8>) -> Bool {
    let known = nodes[number].key
    guard known.count == key.count else { return false }
    return keys.withUnsafeBufferPointer { UnsafeBufferPointer(rebasing: $0[known]).hasSameBytes(as: key) }
  }

  private mutating func search(_ key: UnsafeBufferPointer<UInt8>, of parent: Int) -> Int? {
    // Outside ASCII, equal keys may have different bytes; with escapes, everywhere.
    guard key.isPlainText else { return nil }
    let name = Name(parent: parent, key: String(decoding: key, as: UTF8.self))
    if let number = numbers[name] { return number }
    guard nodes.count <= Self.maximumKeys else { return nil }
    nodes.append(Node(key: keys.count..<(keys.count + key.count)))
    keys.append(contentsOf: key)
    numbers[name] = nodes.count - 1
    return nodes.count - 1
  }

  private mutating func meet(_ number: Int) -> Int? {
    guard nodes[number].lastMet != payload else { return nil }
    nodes[number].lastMet = payload
    return number
  }
}
