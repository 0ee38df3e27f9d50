import DualSendCore

extension ParityReport {
  /// The report as a self-contained page: a bar for each event, with its fields and examples in a disclosure.
  ///
  /// - Parameter judgement: the gate's judgement, if any.
  package func html(_ judgement: ParityJudgement? = nil) -> String {
    let verdicts = Dictionary(
      (judgement?.items ?? []).map { ($0.event.name, $0) }, uniquingKeysWith: { first, _ in first })
    let events = eventsByFailures.map { Self.section($0, verdicts[$0.name]) }.joined(separator: "\n")
    let notes = footnotes(judgement).map { "<li>\(Self.escaped($0))</li>" }.joined()
    return """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>Parity</title>
      <style>\(Self.style)</style>
      </head>
      <body>
      <h1>Parity</h1>
      <p>\(Self.counts(total))\(judgement.map { $0.passes ? "; passes" : "; does not pass" } ?? "")</p>
      \(events)
      <ul>\(notes)</ul>
      </body>
      </html>

      """
  }

  private static func counts(_ event: EventParity) -> String {
    "\(event.pairs.counted("pair")), \(event.differing) differ (\(event.rateText)); \(event.lost) lost, "
      + "\(event.unexpected) unexpected; \(event.oldOnly) only old, \(event.newOnly) only new"
      + ParityMeasure.allCases.map { "; \($0.title) \($0.text(of: event))" }.joined()
  }

  private static func section(_ event: EventParity, _ item: ParityJudgement.Item?) -> String {
    let fields = event.worstFields.map { field in
      "<tr><td><code>\(escaped(field.path))</code></td><td>\(escaped(field.summary))</td><td>\(examples(field.examples))</td></tr>"
    }
    let table = fields.isEmpty ? "" : "<table>\(fields.joined())</table>"
    let alone = [
      ("lost", event.lostExamples), ("unexpected", event.unexpectedExamples), ("only old", event.oldOnlyExamples),
      ("only new", event.newOnlyExamples),
    ].filter { !$0.1.isEmpty }.map { "<p>\($0.0): \(examples($0.1))</p>" }.joined()
    let verdict = item.map { $0.verdict == .passes ? [] : [$0.summary] } ?? []
    let remarks = (verdict + event.placings + event.remarks).map { "<p>\(escaped($0))</p>" }.joined()
    return """
      <details>
      <summary><span class="name">\(escaped(event.title))</span>\(bar(event))<span>\(counts(event))</span></summary>
      \(table)\(alone)\(remarks)
      </details>
      """
  }

  /// A bar with the shares of equal, failing and unpaired events. A share above 0 is at least a pixel wide.
  private static func bar(_ event: EventParity) -> String {
    let parts = [
      ("equal", event.judged - event.failing), ("failing", event.failing),
      ("alone", event.pairs + event.oldOnly + event.newOnly - event.judged),
    ]
    let spans = parts.filter { $0.1 > 0 }.map { "<i class=\"\($0.0)\" style=\"flex-grow:\($0.1)\"></i>" }
    return "<span class=\"bar\">\(spans.joined())</span>"
  }

  private static func examples(_ ids: [String]) -> String {
    ids.map { "<code>\(escaped($0))</code>" }.joined(separator: " ")
  }

  private static func escaped(_ text: String) -> String {
    text.printable().replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;")
  }

  private static let style = """
    :root{color-scheme:light dark}
    body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:70rem;padding:0 1rem}
    summary{align-items:center;cursor:pointer;display:grid;gap:1rem;grid-template-columns:22rem 1fr auto;padding:.3rem 0}
    .name{font-weight:600;overflow-wrap:anywhere}
    .bar{background:#8883;display:flex;height:.8rem}
    .bar i{flex-basis:0;min-width:1px}
    .equal{background:#2a7}.failing{background:#d33}.alone{background:#da3}
    details{border-bottom:1px solid #8884}
    td{padding:.1rem 1rem .1rem 0;vertical-align:top}
    """
}
