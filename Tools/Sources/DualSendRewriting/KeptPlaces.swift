import DualSendCore
import DualSendInventory
import DualSendSource

/// Places, texts and files that are kept, because it could not be proved that the result logs the events that the table
/// gives. Each has the reason.
struct KeptPlaces {
  private var files: [String: String] = [:]
  private var places: [Int: String] = [:]
  private var texts: [WrittenSite.Text: String] = [:]

  var count: Int { files.count + places.count + texts.count }

  /// Keeps the first of these that is not kept already: the places that a fault is about, the texts that it comes from,
  /// the whole file, and every text that changes outside of the file.
  mutating func add(_ fault: FinishCheck.Fault, of file: Int, named name: String, _ draft: SiteEdits.Agreed) {
    let news = fault.places.filter { places[$0] == nil }
    let changed = draft.texts.keys.filter { texts[$0] == nil }
    let guilty = changed.filter { text in fault.missing.contains { $0.mentions(text.text) } }
    if !news.isEmpty {
      for place in news { places[place] = fault.message }
    } else if !guilty.isEmpty {
      for text in guilty { texts[text] = fault.message }
    } else if files[name] == nil {
      files[name] = fault.message
    } else {
      for text in changed where text.file != file { texts[text] = fault.message }
    }
  }

  /// The reason why a place is kept, if it is.
  func fault(
    _ number: Int, _ one: WrittenSite, _ changes: [WantedChanges.Unit: WantedChanges.Change]
  ) -> String? {
    if let fault = places[number] ?? files[one.site.file] { return fault }
    if texts.isEmpty { return nil }
    return changes.compactMap { unit, change -> String? in
      if case .text(let text) = unit, change != .stays { texts[text] } else { nil }
    }.min()
  }

  /// The first file with something kept, and what could not be proved about it.
  func first(in found: SourceInventory) -> (file: String, reason: String)? {
    let all = places.map { (found.written[$0.key].site.file, $0.value) } + files.map { ($0.key, $0.value) }
    return all.min { String.byteOrder($0.0, $1.0) }
  }
}
