import DualSendCore

/// Where the conditions of a rollout document's rules stand in its text.
struct EntryPlaces {
  private let document: JSONDocument?

  /// - Parameter bytes: the text of a document that was accepted; of any other text nothing is found.
  init(_ bytes: [UInt8]) {
    document = try? JSONReader().document(bytes)
  }

  /// Where a condition of a rule stands, or one entry of it.
  func position(_ place: UnseenRules.Place) -> DocumentDiagnostic.Position? {
    guard let document, case .array(let rules)? = document.root.member("rules")?.value.content,
      rules.indices.contains(place.rule)
    else { return nil }
    var node = rules[place.rule].member("match")?.value
    for key in place.keys { node = node?.member(key)?.value }
    if let index = place.index, case .array(let entries)? = node?.content, entries.indices.contains(index) {
      node = entries[index]
    }
    return node.map { document.source.position(at: $0.offset) }
  }
}
