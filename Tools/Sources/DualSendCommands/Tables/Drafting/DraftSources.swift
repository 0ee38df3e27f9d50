import DualSend
import DualSendCodeGeneration
import DualSendCommandLine
import DualSendCore
import DualSendDrafting
import DualSendInventory
import DualSendParity
import DualSendRemapping
import Foundation

/// Reads the sources of a draft.
enum DraftSources {
  /// Pairs of two streams.
  static func sample(
    old: String, new: String, joinedBy rule: JoinRule, pairsPerEvent: Int, on terminal: Terminal
  ) throws -> (sample: PairSample, counts: StreamPairs.Counts) {
    for file in [old, new] {
      try InputFile.opened(file) { _ = try FileHandle(forReadingFrom: URL(fileURLWithPath: file)) }
    }
    var sample = PairSample(pairsPerEvent: pairsPerEvent)
    var progress = ProgressLine(terminal)
    var pairs = 0
    let counts = try StreamPairs.forEach(
      old: URL(fileURLWithPath: old), new: URL(fileURLWithPath: new), joinedBy: rule
    ) { pair in
      sample.add(pair)
      pairs += 1
      progress.show(pairs.counted("pair"))
    }
    progress.clear()
    return (sample, counts)
  }

  /// The old side of a draft by names: an inventory, or the events of a stream.
  static func oldNames(inventory: String?, stream: String?, on terminal: Terminal) throws -> NamedEvents {
    if let inventory { return NamedEvents(try Inventory(InputFile.bytes(inventory), name: inventory)) }
    var names = NamedEvents()
    var shapes = KnownShapes()
    var lines = try LegacyLines(stream, input: terminal.input)
    try lines.forEach("draft", on: terminal, unless: { shapes.counts($0) }) { line in
      names.add(line.event.name, payload: line.event.parameters)
      shapes.learn(line.event)
    }
    lines.reportMalformed(on: terminal, format: .text)
    return names
  }

  /// The new side of a draft by names: a specification in JSON, else a spreadsheet.
  static func newNames(_ file: String) throws -> NamedEvents {
    let bytes = try InputFile.bytes(file)
    guard file.hasSuffix(".json") else { return try NamedEvents(csv: bytes, name: file) }
    var names = NamedEvents()
    for event in try EventSpecification(json: bytes, name: file).events {
      names.add(event.name)
      for parameter in event.parameters {
        let key = KeyPathPattern(key: parameter.key).description + (parameter.type.isArray ? "[]" : "")
        names.add(event.name, key: key, types: [ValueType(rawValue: parameter.type.element.rawValue)].compactMap { $0 })
      }
    }
    return names
  }
}
