import DualSendSource

/// An app of a few files, in memory.
struct Sources {
  private let files: [(path: String, text: String)]

  init(_ files: (String, String)...) {
    self.files = files.map { (path: $0.0, text: $0.1) }
  }

  init(_ text: String) {
    files = [("App.swift", text)]
  }

  init(files: [(String, String)]) {
    self.files = files.map { (path: $0.0, text: $0.1) }
  }

  func inventory(functions: [LoggingFunction] = LoggingFunction.known, threads: Int = 1) -> SourceInventory {
    SourceInventory(SourceTexts(files), functions: functions, threads: threads)
  }

  var calls: [CallSite] { inventory().inventory.callSites }
}

extension CallSite {
  /// `exact home.view(a, b?)`: the certainty, and each event with its keys, `?` behind those that may be missing.
  var summary: String {
    let events = events.map { event in
      let keys = event.parameters.map { $0.key + ($0.isOptional ? "?" : "") } + (event.isOpen ? ["…"] : [])
      return event.name + "(" + keys.joined(separator: ", ") + ")"
    }
    return ([certainty.rawValue] + events).joined(separator: " ")
  }
}
