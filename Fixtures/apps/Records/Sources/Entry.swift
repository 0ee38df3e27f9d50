/// What goes into the journal: a class, which is not final.
class Entry {
  let name: String
  let extras: [String: Any]

  init(_ name: String, extras: [String: Any] = [:]) {
    self.name = name
    self.extras = extras
  }

  static let launch = Entry("launch", extras: ["cold": true])
  static let quit = Entry("quit")
  static var last = Entry("last")

  static func rated(_ stars: Int, by name: String?) -> Entry {
    var extras: [String: Any] = ["stars": stars]
    if let name { extras["by"] = name }
    return Entry("rated", extras: extras)
  }
}

/// An entry with a name of its own.
class Error: Entry {
  init(code: Int) { super.init("error", extras: ["code": code]) }
}

/// Keeps entries.
final class Journal {
  func post(_ entry: Entry) { Output.write(name: entry.name, parameters: entry.extras) }
}
