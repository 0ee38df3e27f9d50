/// The files of a program while they are written.
final class ProgramWriter {
  var random: ProgramRandom
  /// The lines of each file.
  private(set) var files: [[String]]
  /// The lines of what stands for other modules: it is compiled with the program, and not read with it.
  private(set) var hidden: [String] = []
  private(set) var marks: [Mark] = []
  private var count = 0

  init(seed: UInt64) {
    random = ProgramRandom(seed: seed)
    files = Array(repeating: [], count: 3 + random.number(below: 3))
  }

  /// A word that the program has nowhere else.
  func word() -> String {
    count += 1
    return random.element(["home", "open", "tap", "item", "cart", "view", "like", "feed"]) + "\(count)"
  }

  /// The name of a type that the program has nowhere else.
  func typeName() -> String {
    let word = word()
    return word.prefix(1).uppercased() + word.dropFirst()
  }

  func anyFile() -> Int {
    random.number(below: files.count)
  }

  /// Declares something at the top level of a file; of any by default.
  func declare(_ lines: [String], in file: Int? = nil) {
    files[(file ?? anyFile()) % files.count] += lines + [""]
  }

  /// A call whose place is found when the files are done.
  struct Mark {
    var isOpen: Bool
    var isHard = false
    var events: Set<ProgramEvent>
  }

  private static let (markStart, markEnd): (Character, Character) = ("\u{1}", "\u{2}")

  /// What stands before a call until its line is known.
  func mark(isOpen: Bool, sends events: Set<ProgramEvent>) -> String {
    marks.append(Mark(isOpen: isOpen, events: events))
    return "\(Self.markStart)\(marks.count - 1)\(Self.markEnd)"
  }

  /// The same for the call inside of a wrapper, which sends whatever it is given.
  func markOpen() -> String {
    mark(isOpen: true, sends: [])
  }

  func set(_ mark: Mark, at index: Int) {
    marks[index] = mark
  }

  /// A line without its mark, and which mark it had.
  static func unmarked(_ line: String) -> (line: String, mark: Int?) {
    guard let start = line.firstIndex(of: markStart), let end = line.firstIndex(of: markEnd) else { return (line, nil) }
    return (String(line[..<start] + line[line.index(after: end)...]), Int(line[line.index(after: start)..<end]))
  }

  func hide(_ lines: [String]) {
    hidden += lines + [""]
  }
}

/// SplitMix64 (Steele, Lea and Flood 2014): the same programs for the same seed on every machine.
struct ProgramRandom {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }

  mutating func number(below bound: Int) -> Int {
    Int(next().multipliedFullWidth(by: UInt64(bound)).high)
  }

  mutating func isHit(oneIn count: Int) -> Bool {
    number(below: count) == 0
  }

  /// - Precondition: there is an element.
  mutating func element<Element>(_ elements: [Element]) -> Element {
    elements[number(below: elements.count)]
  }
}
