import DualSendCore

/// The fast path for rules whose paths are all top-level keys: one lookup and one insertion for each key.
struct TopLevelPlan: Sendable {
  private enum Action {
    case drop
    case move(String)
    indirect case convert(String, ValueRule)
    /// A row writes to this key, but none takes it.
    case target
  }

  private let numbers: KeyTable
  private let actions: [Action]
  private let constants: [(key: String, value: EventValue)]
  private let unmapped: RemappingTable.Unmapped
  /// Whether any target is not ASCII, so that every unmapped key may be canonically equivalent to a target.
  private let writesBeyondASCII: Bool

  /// `nil` if the rule has deeper paths, defaults, several sources of a target, or a clash policy other than `mapped`.
  init?(_ rule: EventRule) {
    guard rule.clashPolicy == .mapped, !rule.hasAlternatives else { return nil }
    var actions: [ExactText: Action] = [:]
    var targets: [String] = []
    for row in rule.rows {
      guard let source = row.source.onlyKey, row.fallback == nil else { return nil }
      switch row.action {
      case .drop: actions[ExactText(source)] = .drop
      case .move(let target, let valueRule):
        guard let target = target.onlyKey else { return nil }
        actions[ExactText(source)] = valueRule.map { .convert(target, $0) } ?? .move(target)
        targets.append(target)
      }
    }
    var constants: [(key: String, value: EventValue)] = []
    for constant in rule.constants {
      guard let key = constant.target.onlyKey else { return nil }
      constants.append((key, constant.value))
      targets.append(key)
    }
    for target in targets.map(ExactText.init) where actions[target] == nil { actions[target] = .target }
    self.actions = Array(actions.values)
    numbers = KeyTable(actions.keys.map(\.text))
    writesBeyondASCII = !targets.allSatisfy { target in target.utf8.allSatisfy { $0 < 0x80 } }
    self.constants = constants
    unmapped = rule.unmapped
  }

  func apply(to payload: [String: EventValue], into remapped: inout RemappedEvent) {
    if actions.isEmpty, constants.isEmpty, unmapped == .keep {
      remapped.payload = payload
      return
    }
    // Twice the capacity reduces collisions. The payload is short-lived.
    var output = [String: EventValue](minimumCapacity: 2 * (payload.count + constants.count))
    // Each write adds a key or is a clash, so the number of clashes follows from the number of writes.
    var writes = 0
    // The dictionary can hold one of two equivalent keys. A mapped value wins, so possibly equivalent keys come last.
    var areSomeLate = false
    for (key, value) in payload {
      let number = numbers.number(of: key)
      guard number >= 0 else {
        if unmapped == .report { remapped.unmapped.append(EventPath([.key(key)])) }
        if unmapped != .drop {
          if isLate(number) { areSomeLate = true } else { output[key] = value }
          writes += 1
        }
        continue
      }
      switch actions[number] {
      case .drop: break
      case .move(let target):
        output[target] = value
        writes += 1
      case .convert(let target, let rule):
        let result = rule.apply(to: value)
        remapped.count(result.outcome)
        output[target] = result.value
        writes += 1
      case .target:
        if unmapped == .report { remapped.unmapped.append(EventPath([.key(key)])) }
        if unmapped != .drop {
          writes += 1
          if !output.keys.contains(key) { output[key] = value }
        }
      }
    }
    for constant in constants { output[constant.key] = constant.value }
    if areSomeLate {
      for (key, value) in payload where isLate(numbers.number(of: key)) && output[key] == nil { output[key] = value }
    }
    remapped.clashes = writes + constants.count - output.count
    remapped.unmapped = remapped.unmapped.inOrder()
    remapped.payload = output
  }

  private func isLate(_ number: Int) -> Bool {
    number == KeyTable.unknownBeyondASCII || (number < 0 && writesBeyondASCII)
  }
}

// MARK: - Key table

/// An immutable hash table from keys to small numbers, which is searched for each key of each event.
///
/// `Dictionary` uses a hash that resists hostile keys, which costs more than the rest of a rename, and also finds canonically
/// equivalent keys. The keys of a table are trusted, so this one uses a multiplicative hash and compares bytes.
struct KeyTable: Sendable {
  private struct Slot: Sendable {
    var key = ""
    var number = -1
  }

  /// The result for an ASCII key that is not in the table.
  static let unknown = -1
  /// The result for any other key that is not in the table. It may be canonically equivalent to another key.
  static let unknownBeyondASCII = -2

  private var slots: [Slot]
  private let mask: Int
  /// Whether every key is ASCII.
  let isASCII: Bool

  init(_ keys: some Collection<String>) {
    var size = 4
    while size < keys.count * 2 { size *= 2 }
    slots = [Slot](repeating: Slot(), count: size)
    mask = size - 1
    isASCII = keys.allSatisfy { key in key.utf8.allSatisfy { $0 < 0x80 } }
    for (number, key) in keys.enumerated() {
      var index = Self.hash(key).value & mask
      while slots[index].number >= 0 { index = (index + 1) & mask }
      slots[index] = Slot(key: key, number: number)
    }
  }

  /// The position of a key among the keys of `init`; ``unknown`` or ``unknownBeyondASCII`` if it is not one of them.
  func number(of key: String) -> Int {
    let (value, keyIsASCII) = Self.hash(key)
    var index = value & mask
    // At least half of the slots are free, so both searches end.
    if isASCII {
      // For ASCII, `==` compares the bytes and is faster than `isExactly`.
      guard keyIsASCII else { return Self.unknownBeyondASCII }
      while slots[index].number >= 0 {
        if slots[index].key == key { return slots[index].number }
        index = (index + 1) & mask
      }
      return Self.unknown
    }
    while slots[index].number >= 0 {
      if slots[index].key.isExactly(key) { return slots[index].number }
      index = (index + 1) & mask
    }
    return keyIsASCII ? Self.unknown : Self.unknownBeyondASCII
  }

  @inline(__always)
  private static func hash(_ key: String) -> (value: Int, isASCII: Bool) {
    var key = key
    return key.withUTF8 { bytes in
      var hash = UInt64(truncatingIfNeeded: bytes.count)
      var seen: UInt64 = 0
      var offset = 0
      while offset < bytes.count {
        var word: UInt64 = 0
        if offset + 8 <= bytes.count {
          word = UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        } else {
          for byte in bytes[offset...] { word = word << 8 | UInt64(byte) }
        }
        seen |= word
        hash = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15
        hash ^= hash >> 32
        offset += 8
      }
      return (Int(truncatingIfNeeded: hash & 0x7FFF_FFFF), seen & 0x8080_8080_8080_8080 == 0)
    }
  }
}
