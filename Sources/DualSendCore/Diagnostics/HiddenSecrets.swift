extension String {
  /// Replaces the user, the password and the query values of every URL in the text with `…`.
  ///
  /// These parts may hold tokens, and messages end up in logs and on screens.
  public var hidingSecrets: String {
    guard holdsAddress else { return self }
    var result = ""
    var rest = self[...]
    while let mark = rest.firstRange(of: "://") {
      result += rest[..<mark.upperBound]
      let end = rest[mark.upperBound...].firstIndex { $0.endsAddress } ?? rest.endIndex
      result += Self.hidingSecrets(inAddress: rest[mark.upperBound..<end])
      rest = rest[end...]
    }
    return result + rest
  }

  /// One pass over the bytes, for texts of many megabytes.
  private var holdsAddress: Bool {
    var text = self
    return text.withUTF8 { bytes in
      var matched = 0
      let mark = Array("://".utf8)
      for byte in bytes {
        matched = byte == mark[matched] ? matched + 1 : byte == mark[0] ? 1 : 0
        if matched == mark.count { return true }
      }
      return false
    }
  }

  /// - Parameter address: what follows `://`.
  private static func hidingSecrets(inAddress address: Substring) -> String {
    let authority = address.prefix { !"/?#".contains($0) }
    let port = authority.drop { $0 != ":" }.dropFirst()
    // Also detects a password that contains a slash, although such a URL is not valid.
    let isBroken = !authority.hasPrefix("[") && !port.allSatisfy(\.isNumber)
    if let at = (isBroken ? address : authority).lastIndex(of: "@") {
      let place = address[address.index(after: at)...]
      // Without a host this is a placeholder, such as `https://USER:PASSWORD@…`.
      return place == "…" ? String(address) : "…@" + hidingSecrets(inAddress: place)
    }
    let place = address.prefix { $0 != "?" && $0 != "#" }
    let query = address[place.endIndex...].prefix { $0 != "#" }
    return place + hidingValues(in: query) + (query.endIndex < address.endIndex ? "#…" : "")
  }

  private static func hidingValues(in query: Substring) -> String {
    guard query.first == "?" else { return "" }
    let parts = query.dropFirst().split(separator: "&", omittingEmptySubsequences: false).map { part in
      part.firstIndex(of: "=").map { part[...$0] + "…" } ?? (part.isEmpty ? "" : "…")
    }
    return "?" + parts.joined(separator: "&")
  }
}

extension Character {
  /// Whether a URL ends before this character.
  fileprivate var endsAddress: Bool {
    isWhitespace || "\"'`<>".contains(self)
  }
}
