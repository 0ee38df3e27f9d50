import DualSendCore
import DualSendTables

/// Generates the files of `Fixtures/legacy` from a seed. The same seed gives the same bytes on every platform.
enum LegacyFixtures {
  /// The files' paths below the fixtures' folder and their contents, sorted by path.
  ///
  /// - Parameter seed: by default, that of the committed files.
  static func files(seed: UInt64 = 2025) -> [(path: String, bytes: [UInt8])] {
    var files = [
      ("legacy/events.jsonl", LegacyStream.lines(seed: seed)),
      ("legacy/remapping.json", document(remappingTable)),
    ]
    for (index, stage) in RolloutStages.all.enumerated() {
      files.append(("legacy/rollout-\(index + 1).json", document(stage)))
    }
    return files
  }

  private static func document(_ value: EventValue) -> [UInt8] {
    let firstKeys = ["formatVersion", "revision", "salt", "name", "to", "match"]
    return Array(IndentedJSON.text(value, lineLength: 100, firstKeys: firstKeys).utf8)
  }

  private static var remappingTable: EventValue {
    var entries: [String: EventValue] = ["*": ["parameters": .object(EventCatalogue.commonRows)]]
    for sketch in EventCatalogue.all { entries[sketch.name] = sketch.tableEntry }
    return ["formatVersion": 1, "events": .object(entries)]
  }
}
