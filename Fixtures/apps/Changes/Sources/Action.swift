/// What passengers do with their phones.
enum Action: String {
  case tosAccepted, acceptTOSAgain, openURL
  case gpsOn, gpsOff
  case read = "TOSRead"
}

extension String {
  /// `openURLAgain` as `open_url_again`.
  var snakeCased: String {
    let letters = Array(self)
    return letters.indices.reduce(into: "") { text, index in
      let isNext = index > 0 && letters[index].isUppercase
      let ends = index + 1 < letters.count && letters[index + 1].isLowercase
      if isNext, !letters[index - 1].isUppercase || ends { text += "_" }
      text += letters[index].lowercased()
    }
  }
}
