package import ArgumentParser
import DualSendCollector
package import DualSendCommandLine
import DualSendCore
import DualSendDelivery
import DualSendParity
import Foundation

/// `--old-format`, of every verb that takes events of the old logger.
package struct OldFormatOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The format of the old events (\(RecordedFormat.names)); by default recognised by the first lines.",
      valueName: "name"),
    transform: { try RecordedFormat(named: $0) })
  var oldFormat: RecordedFormat?

  package init() {}

  /// The lines as the old logger writes them.
  package var lines: LineFormat { RecordedFormat.lines(oldFormat, as: .legacy) }
}

/// `--new-format`, of every verb that takes events of the new tracker.
package struct NewFormatOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The format of the new events (\(RecordedFormat.names)); by default recognised by the first lines. A line is an event, or a request of a collector.",
      valueName: "name"),
    transform: { try RecordedFormat(named: $0) })
  var newFormat: RecordedFormat?

  package init() {}

  /// The lines as a collector stores them.
  package var lines: LineFormat { RecordedFormat.lines(newFormat, as: .wire) }
}

/// Both options, of the verbs that compare the two streams.
package struct StreamFormatOptions: ParsableArguments {
  @OptionGroup package var old: OldFormatOption
  @OptionGroup package var new: NewFormatOption

  package init() {}

  var formats: [StreamSide: LineFormat] { [.old: old.lines, .new: new.lines] }
  var isUsed: Bool { old.oldFormat != nil || new.newFormat != nil }

  /// - Parameter form: of the second stream, which may be another recording of the old one.
  func formats(for form: StreamForm) -> [StreamSide: LineFormat] {
    form == .wire ? formats : [.old: old.lines, .new: old.lines]
  }

  /// Says which file is read in another format than ours; nothing of a pipe, which can be read only once.
  func notes(old: String, new: String) -> [String] {
    [(old, self.old.lines), (new, self.new.lines)].compactMap { path, format in
      guard InputFile.isRegularFile(path), let reader = try? RecordingReader(URL(fileURLWithPath: path), format) else {
        return nil
      }
      return RecordedFormat.note(path, reader.decoder)
    }
  }

  /// What a comparison depends on.
  var texts: [String] { [old.oldFormat, new.newFormat].map { $0?.name ?? "" } }
}

extension RecordedFormat {
  init(named text: String) throws {
    guard let format = Self.allCases.first(where: { $0.name == text }) else {
      throw ValidationError("there is no format \(text): \(Self.names)")
    }
    self = format
  }

  /// The format that a decoder reads.
  init?(_ decoder: LineDecoder) {
    guard let format = Self.allCases.first(where: { $0.name == decoder.name }) else { return nil }
    self = format
  }

  /// The note that a recording was recognised; `nil` for lines of our own form.
  static func note(_ name: String, _ decoder: LineDecoder?) -> String? {
    decoder.map { "note: \(name) is read in the format `\($0.name)`" }
  }
}

/// Counts calls of another tool that are no events, such as `identify`.
struct OtherCalls: Sendable {
  private var counts: [String: Int] = [:]

  /// Counts such a call; `false` for any other fault.
  mutating func add(_ fault: RecordedFault) -> Bool {
    guard let call = fault.otherCall else { return false }
    counts[call, default: 0] += 1
    return true
  }

  mutating func merge(_ others: OtherCalls) { counts.merge(others.counts, uniquingKeysWith: +) }

  /// Says what was left out; `nil` if nothing was.
  var note: String? {
    if counts.isEmpty { return nil }
    let kinds = counts.sorted { $0.key < $1.key }.map { "\($0.value.grouped) of `\($0.key)`" }
    return "note: calls that are no events are not read: " + kinds.joined(separator: ", ")
  }
}

/// A recording of another format as a temporary file of our own lines.
struct ConvertedRecording {
  /// The file to read: the recording itself if it has our own form.
  let file: URL
  /// The format; `nil` for our own form.
  let decoder: LineDecoder?
  /// What could not be read, each with the number of its line.
  private var faults: [(number: Int, fault: RecordedFault)] = []
  private var otherCalls = OtherCalls()

  private let isTemporary: Bool

  init(_ path: String, _ format: @escaping LineFormat) throws {
    let original = URL(fileURLWithPath: path)
    var reader = try InputFile.opened(path) { try RecordingReader(original, format) }
    decoder = reader.decoder
    isTemporary = decoder != nil || reader.isArray
    guard isTemporary else {
      file = original
      return
    }
    file = FileManager.default.temporaryDirectory.appendingPathComponent("dualsend-recording-\(UUID()).jsonl")
    do {
      var lines = try JSONLinesFile(appendingTo: file)
      try reader.forEach { event in
        switch event.line {
        case .success(let line): try lines.append(line.map { $0 == UInt8(ascii: "\n") ? UInt8(ascii: " ") : $0 })
        case .failure(let fault):
          if !otherCalls.add(fault) { faults.append((event.number, fault)) }
        }
      }
      try lines.close()
      if let failure = reader.failure { throw failure }
    } catch {
      remove()
      throw error
    }
  }

  /// What a person should know: the format, and what is left out of it.
  func notes(_ path: String) -> [String] {
    [RecordedFormat.note(path, decoder), otherCalls.note].compactMap { $0 }
  }

  /// The faults as findings with their lines.
  func findings(_ path: String) -> [DocumentDiagnostic] {
    let shape = decoder.flatMap { RecordedFormat($0) }?.shape
    return faults.map { number, fault in
      DocumentDiagnostic(
        .error, .malformedEvent, "line \(number) is not an event: \(fault.description)", file: path,
        position: DocumentDiagnostic.Position(line: number, column: fault.column ?? 1),
        help: "the line was skipped; every other line was sent" + (shape.map { "; expected \($0)" } ?? ""))
    }
  }

  /// Removes the temporary file.
  func remove() {
    if isTemporary { try? FileManager.default.removeItem(at: file) }
  }
}
