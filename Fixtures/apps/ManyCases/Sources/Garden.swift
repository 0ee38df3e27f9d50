/// The garden's log.
final class Garden {
  static let log = Garden()

  func track(_ action: Action, _ parameters: [String: Any] = [:]) {
    Output.write(name: action.eventName, parameters: parameters)
  }

  func track(text: String, _ parameters: [String: Any] = [:]) {
    Output.write(name: text, parameters: parameters)
  }
}

extension String {
  /// `bedAdded` as `bed_added`.
  var snakeCased: String {
    reduce(into: "") { text, character in
      if character.isUppercase { text += "_" }
      text += character.lowercased()
    }
  }
}
