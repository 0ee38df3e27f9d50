import DualSendCore
import Foundation

/// Finds the rules that can decide an event by its name: a dictionary of exact names, and a sorted list of prefixes.
///
/// A name's list has the rules that match it, in order, and ends where unconditional rules have decided every flag. A lookup
/// does not visit rules about other names.
package struct EventIndex: Sendable {
  /// The parts of a rule that an index depends on.
  package struct Rule {
    let events: [EventPattern]?
    let flags: FlagSet
    let isUnconditional: Bool

    /// - Parameters:
    ///   - events: the patterns of the names that the rule matches; `nil` for all.
    ///   - flags: the flags it sets.
    ///   - isUnconditional: whether the rule has no conditions besides the name.
    package init(events: [EventPattern]?, flags: FlagSet, isUnconditional: Bool) {
      self.events = events
      self.flags = flags
      self.isUnconditional = isUnconditional
    }
  }

  /// A set of names that share a list: one name, or all names with a prefix that no longer pattern matches.
  package struct Atom: Sendable {
    /// The name or prefix.
    package let pattern: EventPattern
    /// The number of the list.
    package let list: Int
  }

  private struct Prefix: Sendable {
    /// The place of its text in ``EventIndex/bytes``.
    let start: Int32
    let count: Int32
    /// The longest other prefix that this one starts with; the empty prefix is its own.
    let parent: Int32
    let list: Int32

    var text: Range<Int> { Int(start)..<Int(start + count) }
  }

  private var names: [ExactText: Int] = [:]
  /// Sorted by the bytes of their texts. The first one is empty.
  private var prefixes: [Prefix] = []
  /// The texts of all prefixes.
  private var bytes: [UInt8] = []
  /// All lists, concatenated.
  private(set) var candidates: [Int32] = []
  /// The start of each list in ``candidates``, and then the end of the last one.
  private var listStarts: [Int32] = [0]

  /// Creates an index of rules, which it numbers from 0.
  package init(_ rules: [Rule]) {
    var exact: [ExactText: [Int]] = [:]
    var starting = [ExactText(""): [Int]()]
    for (index, rule) in rules.enumerated() {
      for pattern in rule.events ?? [.prefix("")] {
        switch pattern {
        case .exact(let name): exact[ExactText(name), default: []].append(index)
        case .prefix(let stem): starting[ExactText(stem), default: []].append(index)
        }
      }
    }
    var lists = CandidateLists(rules)
    // The prefixes that the current text starts with, shortest first. Sorted, a text follows all of its prefixes.
    var open: [Int] = []
    for text in Set(exact.keys).union(starting.keys).inOrder() {
      while let last = open.last, !text.text.utf8.starts(with: bytes[prefixes[last].text]) { open.removeLast() }
      let parent = open.last ?? 0
      let inherited = open.isEmpty ? [] : lists.all[Int(prefixes[parent].list)]
      if let own = starting[text] {
        let list = lists.list(of: inherited + own)
        let start = Int32(bytes.count)
        bytes += text.text.utf8
        prefixes.append(
          Prefix(start: start, count: Int32(bytes.count) - start, parent: Int32(parent), list: Int32(list)))
        open.append(prefixes.count - 1)
        if let exact = exact[text] { names[text] = lists.list(of: lists.all[list] + exact) }
      } else if let own = exact[text] {
        names[text] = lists.list(of: inherited + own)
      }
    }
    for list in lists.all {
      candidates += list.map { Int32($0) }
      listStarts.append(Int32(candidates.count))
    }
  }

  /// The number of lists.
  package var listCount: Int { listStarts.count - 1 }

  /// The number of entries, which bounds the work of creating the index.
  var size: Int { names.count + prefixes.count + candidates.count }

  /// Every set of names that the patterns distinguish, sorted by the bytes of the pattern.
  package var atoms: [Atom] {
    let starting = prefixes.map { prefix in
      Atom(pattern: .prefix(String(decoding: bytes[prefix.text], as: UTF8.self)), list: Int(prefix.list))
    }
    return (starting + names.map { Atom(pattern: .exact($0.key.text), list: $0.value) })
      .inOrder { String.byteOrder($0.pattern.stem, $1.pattern.stem) }
  }

  /// The rules of a list, in order.
  package func candidates(ofList list: Int) -> [Int] {
    candidates[range(ofList: list)].map { Int($0) }
  }

  /// The range of a name's candidates in ``candidates``.
  @inline(__always)
  func candidateRange(for name: String) -> Range<Int> {
    range(ofList: list(for: name))
  }

  @inline(__always)
  private func range(ofList list: Int) -> Range<Int> {
    Int(listStarts[list])..<Int(listStarts[list + 1])
  }

  /// The number of a name's list.
  package func list(for name: String) -> Int {
    if !names.isEmpty, let list = names[ExactText(name)] { return list }
    guard prefixes.count > 1 else { return Int(prefixes[0].list) }
    var name = name
    return name.withUTF8 { Int(prefixes[longestPrefix(of: $0)].list) }
  }

  /// The position of the longest prefix of a name: the last one that is not above the name in the order, or a parent of it.
  private func longestPrefix(of name: UnsafeBufferPointer<UInt8>) -> Int {
    bytes.withUnsafeBufferPointer { bytes in
      prefixes.withUnsafeBufferPointer { prefixes in
        guard let start = name.baseAddress, let texts = bytes.baseAddress else { return 0 }
        /// Compares a prefix with as many bytes of the name.
        func order(_ prefix: Prefix) -> Int32 {
          memcmp(texts + Int(prefix.start), start, min(Int(prefix.count), name.count))
        }
        var (low, high) = (1, prefixes.count)
        while low < high {
          let middle = (low + high) / 2
          let difference = order(prefixes[middle])
          let isAbove = difference > 0 || difference == 0 && prefixes[middle].count > name.count
          if isAbove { high = middle } else { low = middle + 1 }
        }
        var position = low - 1
        while position > 0, prefixes[position].count > name.count || order(prefixes[position]) != 0 {
          position = Int(prefixes[position].parent)
        }
        return position
      }
    }
  }
}

/// The different lists of an index.
private struct CandidateLists {
  private let rules: [EventIndex.Rule]
  private let allFlags: FlagSet
  private(set) var all: [[Int]] = []
  private var numbers: [[Int]: Int] = [:]

  init(_ rules: [EventIndex.Rule]) {
    self.rules = rules
    allFlags = rules.reduce(into: []) { $0.formUnion($1.flags) }
  }

  /// The number of the list of these rules, without those that unconditional rules make unreachable.
  mutating func list(of indices: [Int]) -> Int {
    var open = allFlags
    var list: [Int] = []
    for index in indices.distinctInOrder() {
      let rule = rules[index]
      if rule.flags.isDisjoint(with: open) { continue }
      list.append(index)
      if rule.isUnconditional { open.subtract(rule.flags) }
      if open.isEmpty { break }
    }
    if let known = numbers[list] { return known }
    all.append(list)
    numbers[list] = all.count - 1
    return all.count - 1
  }
}
