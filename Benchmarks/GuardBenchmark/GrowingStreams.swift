import DualSendParity
import DualSendRemapping
import Foundation

/// Two streams of a step that grow between looks.
struct GrowingStreams {
  private let folder: URL
  private let comparer: ParityComparer
  private var events = 0

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("guard-benchmark-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var comparer = ParityComparer(table: try RemappingTable(reading: #"{"formatVersion": 1, "events": {}}"#.utf8))
    (comparer.samplesUnits, comparer.period) = (true, 1...1_000_000_000)
    self.comparer = comparer
    for file in [old, new] { try Data().write(to: file) }
  }

  private var old: URL { folder.appendingPathComponent("old") }
  private var new: URL { folder.appendingPathComponent("new") }

  /// Adds events, of which the new stream has each second one.
  mutating func add(_ count: Int) throws {
    let text = String(repeating: "x", count: 100)
    var lines = (old: "", new: "")
    for id in events..<(events + count) {
      let unit = "u\(id % 5000)"
      lines.old += #"{"eventId":"\#(id)","name":"tap","time":\#(id + 1),"unitID":"\#(unit)","#
      lines.old += #""parameters":{"n":\#(id),"text":"\#(text)"}}"# + "\n"
      guard id.isMultiple(of: 2) else { continue }
      lines.new +=
        #"{"eventId":"\#(id)","eventName":"tap","eventTime":\#(id + 1),"payload":{"n":\#(id),"text":"\#(text)"}}"#
      lines.new += "\n"
    }
    events += count
    for (file, text) in [(old, lines.old), (new, lines.new)] {
      let handle = try FileHandle(forWritingTo: file)
      try handle.seekToEnd()
      try handle.write(contentsOf: Data(text.utf8))
      try handle.close()
    }
  }

  /// The time of a comparison of all lines.
  func whole() throws -> Duration {
    try ContinuousClock().measure { _ = try comparer.compare(old: [old], new: [new]) }
  }

  /// The time of a look, which reads what is new, with the store that it opens.
  func look() throws -> Duration {
    try ContinuousClock().measure {
      let store = try ParityStore(path: folder.appendingPathComponent("lines").path, isCopied: false)
      _ = try comparer.compare(old: [old], new: [new], keptIn: store, as: "benchmark")
    }
  }

  /// Prints what looks cost, in Markdown.
  static func printTable() throws {
    print("\n| lines of the step | first look, against a comparison of all lines | a look with 1,500 new lines |")
    print("|---|---|---|")
    for count in [20_000, 200_000] {
      var streams = try GrowingStreams()
      defer { streams.remove() }
      try streams.add(count)
      let first = try streams.look() / streams.whole()
      try streams.add(1_000)
      let later = try streams.look() / streams.whole()
      print("| \(count * 3 / 2) | \((first * 10).rounded() / 10) × | \((later * 100).rounded() / 100) × |")
    }
  }

  private func remove() { try? FileManager.default.removeItem(at: folder) }
}
