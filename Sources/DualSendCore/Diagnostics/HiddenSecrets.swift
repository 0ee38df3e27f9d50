extension String {
  /// The text with `…` in place of the user, the password and the query's values of every address in it.
  ///
  /// Tokens travel in all of these, and a message about an address ends up in logs and on screens.
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
    // A password with a stroke in it makes no valid address, and is a password all the same.
    let isBroken = !authority.hasPrefix("[") && !port.allSatisfy(\.isNumber)
    if let at = (isBroken ? address : authority).lastIndex(of: "@") {
      let place = address[address.index(after: at)...]
      // Without a host it is no address but how one is written: `https://USER:PASSWORD@…`.
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
  /// Whether it stands between an address and the text around it.
  fileprivate var endsAddress: Bool {
    isWhitespace || "\"'`<>".contains(self)
  }
}
