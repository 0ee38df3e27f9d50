@_spi(Tools) import DualSendCore

extension ParityReport {
  /// The report as one page that needs nothing else: a bar for each event, its fields and examples behind a click.
  package var html: String {
    let events = eventsByMismatch.map(Self.section).joined(separator: "\n")
    let notes = footnotes.map { "<li>\(Self.escaped($0))</li>" }.joined()
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
      <p>\(total.pairs) pairs, \(total.mismatches) differ (\(total.rateText)); \(total.oldOnly) only old, \
      \(total.newOnly) only new</p>
      \(events)
      <ul>\(notes)</ul>
      </body>
      </html>

      """
  }

  private static func section(_ event: EventParity) -> String {
    let counts =
      "\(event.pairs) pairs, \(event.mismatches) differ (\(event.rateText)), "
      + "\(event.oldOnly) only old, \(event.newOnly) only new"
    let fields = event.worstFields.map { field in
      "<tr><td><code>\(escaped(field.path))</code></td><td>\(escaped(field.summary))</td><td>\(examples(field.examples))</td></tr>"
    }
    let table = fields.isEmpty ? "" : "<table>\(fields.joined())</table>"
    let alone = [("only old", event.oldOnlyExamples), ("only new", event.newOnlyExamples)]
      .filter { !$0.1.isEmpty }.map { "<p>\($0.0): \(examples($0.1))</p>" }.joined()
    let remarks = event.remarks.map { "<p>\(escaped($0))</p>" }.joined()
    return """
      <details>
      <summary><span class="name">\(escaped(event.title))</span>\(bar(event))<span>\(counts)</span></summary>
      \(table)\(alone)\(remarks)
      </details>
      """
  }

  /// Equal, differing and lone events as shares of one line; whatever is not 0 is at least a pixel wide.
  private static func bar(_ event: EventParity) -> String {
    let parts = [
      ("equal", event.pairs - event.mismatches), ("differ", event.mismatches),
      ("alone", event.oldOnly + event.newOnly),
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
    .equal{background:#2a7}.differ{background:#d33}.alone{background:#da3}
    details{border-bottom:1px solid #8884}
    td{padding:.1rem 1rem .1rem 0;vertical-align:top}
    """
}
