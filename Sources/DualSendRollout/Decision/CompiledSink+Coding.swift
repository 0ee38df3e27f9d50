extension CompiledSink {
  func write(to writer: inout BinaryWriter) {
    writer.write(sink.side == .old ? 0 : 1)
    writer.write(sink.id)
    writer.write([topLevel] + shares)
    writer.write(rules)
    events.write(to: &writer)
  }

  /// - Parameter ruleCount: how many rules the document has.
  convenience init(_ reader: inout BinaryReader, ruleCount: Int) throws(BinaryReader.Damage) {
    let side: RolloutSide = try reader.number(below: 2) == 0 ? .old : .new
    let id = try reader.text()
    let numbers = try reader.numbers()
    let rules = try reader.numbers()
    guard RolloutSink.isWellFormed(id), numbers.count == rules.count + 1,
      numbers.allSatisfy({ (0...Int32(RolloutBucket.count)).contains($0) }),
      rules.allSatisfy({ (0..<ruleCount).contains(Int($0)) }), zip(rules, rules.dropFirst()).allSatisfy({ $0 < $1 })
    else { throw BinaryReader.Damage() }
    self.init(
      sink: RolloutSink(side: side, id: id), topLevel: numbers[0],
      events: try EventIndex(&reader, ruleCount: rules.count), rules: rules, shares: Array(numbers.dropFirst()))
  }
}
