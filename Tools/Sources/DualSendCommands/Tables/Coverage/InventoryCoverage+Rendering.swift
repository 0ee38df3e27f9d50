import DualSendCommandLine
import DualSendCore
import DualSendInventory
import DualSendRemapping

extension InventoryCoverage {
  /// The rows and events that only open call sites may send, then one line of totals.
  func text(limit: Int) -> String {
    var table = TextTable([.words("not known to be sent"), .words("of event"), .numbers("may be sent by")])
    let open = (unsent() + unlisted()).filter { $0.openCallSites > 0 }
    for unsent in open.prefix(limit > 0 ? limit : open.count) {
      table.addRow([
        unsent.source?.description ?? "(all)", unsent.event.text,
        unsent.openCallSites.counted("open call site"),
      ])
    }
    let rest = limit > 0 && open.count > limit ? "… and \((open.count - limit).grouped) more; see --limit\n" : ""
    return (open.isEmpty ? "" : table.text + rest + "\n") + totals
  }

  private var totals: String {
    let shares = Certainty.allCases.map { certainty in
      "\(count(certainty).grouped) \(certainty.rawValue)"
        + " (\(count(certainty).percentage(of: inventory.callSites.count)))"
    }
    return "\(inventory.callSites.count.counted("call site")), \(eventCount.counted("event")): "
      + shares.joined(separator: ", ") + "\n"
  }

  /// The same as JSON, with the findings.
  func json(_ findings: [DocumentDiagnostic]) -> EventValue {
    [
      "callSites": .int(Int64(inventory.callSites.count)),
      "certainty": .object(
        Dictionary(uniqueKeysWithValues: Certainty.allCases.map { ($0.rawValue, .int(Int64(count($0)))) })),
      "findings": DiagnosticRenderer.value(findings),
      "openlySent": .array(
        (unsent() + unlisted()).filter { $0.openCallSites > 0 }.map { unsent in
          [
            "event": .string(unsent.event.text), "source": unsent.source.map { .string($0.description) } ?? .null,
            "openCallSites": .int(Int64(unsent.openCallSites)),
          ]
        }),
    ]
  }
}
