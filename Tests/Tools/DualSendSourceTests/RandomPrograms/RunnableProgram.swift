/// What turns a random program into one that runs and writes down what it logs: the check of what is said to be known.
enum RunnableProgram {
  struct Function {
    let number: Int
    /// How a caller names it.
    let call: String
    let parameters: [SiteWriter.Choice]
  }

  /// What every program has in the files that are read.
  static let logging = [
    "protocol EventLogger {", "  func logEvents(name: String, parameters: [[String: Any]])", "}", "",
    "nonisolated(unsafe) let logger: any EventLogger = Recorder.shared",
    "nonisolated(unsafe) let maybeLogger: (any EventLogger)? = Recorder.shared", "",
    "func perform(_ work: () -> Void) { work() }",
  ]

  static func files(of functions: [Function], hidden: [String]) -> [RandomProgram.File] {
    [
      RandomProgram.File(name: "Hidden.swift", text: (recorder + hidden).joined(separator: "\n")),
      RandomProgram.File(name: "main.swift", text: functions.flatMap(calls).joined(separator: "\n") + "\n"),
    ]
  }

  /// Calls a function with every combination of what it can be given.
  private static func calls(of function: Function) -> [String] {
    let arguments = function.parameters.reduce([[]]) { lists, parameter in
      lists.flatMap { list in parameter.values.map { list + ["\(parameter.name): \($0)"] } }
    }
    return ["Recorder.shared.site = \(function.number)"]
      + arguments.map { "\(function.call)(\($0.joined(separator: ", ")))" }
  }

  /// Each event is a line: the function's number, the name and the key paths, in hexadecimal because they may hold
  /// anything.
  private static let recorder = [
    #"""
    import Foundation

    final class Recorder: EventLogger {
      nonisolated(unsafe) static let shared = Recorder()
      var site = 0

      func logEvents(name: String, parameters: [[String: Any]]) {
        for event in parameters {
          let keys = paths(event).map(hexadecimal).sorted().joined(separator: ",")
          print(site, hexadecimal(name), keys.isEmpty ? "-" : keys)
        }
      }

      private func paths(_ fields: [String: Any]) -> Set<String> {
        var found: Set<String> = []
        for (key, value) in fields {
          let path = String(key.flatMap { ".[]\\".contains($0) ? ["\\", $0] : [$0] })
          if let inner = value as? [String: Any] {
            found.formUnion(inner.isEmpty ? [path] : paths(inner).map { path + "." + $0 })
          } else if let elements = value as? [[String: Any]] {
            let inner = elements.reduce(into: Set<String>()) { $0.formUnion(paths($1)) }
            found.formUnion(inner.isEmpty ? [path] : inner.map { path + "[]." + $0 })
          } else {
            found.insert(path)
          }
        }
        return found
      }

      private func hexadecimal(_ text: String) -> String {
        text.utf8.map { String(Int($0) + 256, radix: 16).dropFirst() }.joined()
      }
    }

    func unknownText() -> String { "unknown" }
    func unknownFields() -> [String: Any] { ["unknown": 1] }
    func unknownValue() -> Any { ["unknown": 1] as [String: Any] }
    func changeText(_ text: inout String) { text += "unknown" }
    func changeFields(_ fields: inout [String: Any]) { fields["unknown"] = 1 }
    func isUnwanted(_ field: [String: Any].Element) -> Bool { field.key.count > 5 }
    func keep(_ work: @escaping () -> Void) { work() }
    """#, "",
  ]

  /// What the output of a run says.
  static func sent(_ output: String) -> [Int: Set<ProgramEvent>] {
    var sent: [Int: Set<ProgramEvent>] = [:]
    for line in output.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count == 3, let number = Int(words[0]) else { continue }
      let keys = words[2] == "-" ? [] : words[2].split(separator: ",").map(text)
      sent[number, default: []].insert(ProgramEvent(name: text(words[1]), keys: Set(keys)))
    }
    return sent
  }

  private static func text(_ hexadecimal: Substring) -> String {
    let digits = Array(hexadecimal.utf8)
    let bytes = stride(from: 0, to: digits.count - 1, by: 2).compactMap { index in
      UInt8(String(decoding: digits[index...index + 1], as: UTF8.self), radix: 16)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
