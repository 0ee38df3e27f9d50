import DualSend
import DualSendCore
import DualSendJSONLines
import DualSendParity
import Foundation

/// Explains why lines of a stream are not events. Reads these lines again, so that a comparison need not store reasons.
struct BrokenLines {
  let file: String
  let form: StreamForm
  /// The join key, in words.
  let join: String

  /// The reason for each line, in the order of the file.
  ///
  /// - Parameter numbers: lines counted from 1.
  func reasons(_ numbers: [Int]) -> [String] {
    let numbers = Set(numbers)
    guard let last = numbers.max(), var reader = try? LineReader(URL(fileURLWithPath: file)) else { return [] }
    var reasons: [String] = []
    while let line = reader.next(), line.number <= last {
      if numbers.contains(line.number) { reasons.append("line \(line.number): " + reason(line)) }
    }
    return reasons
  }

  private func reason(_ line: LineReader.Line) -> String {
    if line.isCut { return "it is too long" }
    let value: EventValue
    do { value = try JSONReader().value(line.bytes) } catch {
      return "\(error.description), in column \(SourceText(line.bytes, name: nil).position(at: error.offset).column)"
    }
    guard case .object(let members) = value else { return "expected an object, found \(value.typeName)" }
    let (name, values) = form == .legacy ? ("name", "parameters") : ("eventName", "payload")
    guard case .string(let text)? = members[name], !text.isEmpty else {
      return "`\(name)` is missing, empty or not a string"
    }
    if case .object = members[values] ?? [:] {} else { return "`\(values)` is not an object" }
    return "it has no join key: \(join)"
  }
}
