/// The fields of one pair by their place in the tally: what is expected, and where the actual text stands.
struct TextPair {
  /// What should stand at a place.
  enum Expectation {
    /// A text of the old line, after a rule if the row has one.
    case text(Range<Int>, rule: Int?)
    /// A value that the table brings.
    case addition(Int)
  }

  struct Field {
    var expected: Expectation?
    /// Where the text lies in the new line.
    var actual: Range<Int>?
  }

  /// Which sides have an object at a place, by the last pair in which they did.
  private struct Object {
    private var expected = 0
    private var actual = 0

    subscript(side: StreamSide) -> Int {
      get { side == .old ? expected : actual }
      set { if side == .old { expected = newValue } else { actual = newValue } }
    }

    func stands(onBothSidesIn pair: Int) -> Bool { expected == pair && actual == pair }
    func isUntouched(in pair: Int) -> Bool { expected != pair && actual != pair }
  }

  /// Deeper payloads go the long way.
  static let maximumDepth = 16

  private var number = 0
  private(set) var fields: [Field] = []
  /// The fields of the current pair.
  private(set) var touchedFields: [Int] = []
  private var objects: [Object] = []
  private var touchedObjects: [Int] = []

  /// Starts the next pair.
  mutating func begin() {
    number += 1
    for place in touchedFields { fields[place] = Field() }
    touchedFields.removeAll(keepingCapacity: true)
    touchedObjects.removeAll(keepingCapacity: true)
  }

  func hasExpectation(at place: Int) -> Bool {
    place < fields.count && fields[place].expected != nil
  }

  /// `false` if something is expected there already, or the place is shared by fields that are no longer told apart.
  mutating func setExpected(_ expectation: Expectation, at place: Int, _ tally: FieldTally) -> Bool {
    guard touch(place, .old, tally), fields[place].expected == nil else { return false }
    fields[place].expected = expectation
    return true
  }

  /// `false` if something stands there already, or the place is shared by fields that are no longer told apart.
  mutating func setActual(_ range: Range<Int>, at place: Int, _ tally: FieldTally) -> Bool {
    guard touch(place, .new, tally), fields[place].actual == nil else { return false }
    fields[place].actual = range
    return true
  }

  private mutating func touch(_ place: Int, _ side: StreamSide, _ tally: FieldTally) -> Bool {
    guard !tally.isShared(place) else { return false }
    while fields.count <= place {
      fields.append(Field())
      objects.append(Object())
    }
    if fields[place].expected == nil, fields[place].actual == nil { touchedFields.append(place) }
    var object = tally.container(of: place)
    while object != FieldTally.root, objects[object][side] != number {
      if objects[object].isUntouched(in: number) { touchedObjects.append(object) }
      objects[object][side] = number
      object = tally.container(of: object)
    }
    return true
  }

  /// Whether every object stands on both sides, and none in the place of a scalar.
  var hasSameObjectsOnBothSides: Bool {
    touchedObjects.allSatisfy { place in
      objects[place].stands(onBothSidesIn: number) && fields[place].expected == nil && fields[place].actual == nil
    }
  }
}
