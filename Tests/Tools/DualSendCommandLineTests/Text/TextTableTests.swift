import DualSendCommandLine
import DualSendCore
import Testing

@Suite("A table on the terminal", .timeLimit(.minutes(5)))
struct TextTableTests {
  @Test("aligns words to the left and numbers to the right, and ends no line in spaces")
  func alignment() {
    var table = TextTable([.words("event"), .numbers("seen"), .words("note")])
    table.addRow(["home.view", 1_234.grouped])
    table.addRow(["app", "7", "late"])
    table.addRule()
    table.addRow(["total", 1_241.grouped])
    #expect(
      table.text == """
        event       seen  note
        ─────────  ─────  ────
        home.view  1,234
        app            7  late
        ─────────  ─────  ────
        total      1,241

        """)
  }

  @Test("counts the rows that are beyond a limit, and shows all without one")
  func limit() {
    var table = TextTable([.words("a")], isRuled: false)
    for row in ["1", "2", "longer"] { table.addRow([row]) }
    #expect(table.text(limit: 1) == "a\n1\n… and 2 more; see --limit\n")
    #expect(table.text(limit: 3) == table.text)
    #expect(table.text(limit: 0) == table.text)
  }

  @Test("gives wide characters two columns")
  func wideCharacters() {
    var table = TextTable([.words("a"), .numbers("n")])
    table.addRow(["日本", "1"])
    table.addRow(["👩‍👩‍👧", "2"])
    #expect(table.text.split(separator: "\n").suffix(2) == ["日本  1", "👩‍👩‍👧    2"])
  }

  @Test(
    "groups digits by three",
    arguments: [(0, "0"), (999, "999"), (1000, "1,000"), (-1_234_567, "-1,234,567"), (100_000, "100,000")])
  func grouping(_ number: Int, _ text: String) {
    #expect(number.grouped == text)
  }

  @Test("groups the digits of the smallest integer too")
  func smallest() {
    #expect(Int64.min.grouped == "-9,223,372,036,854,775,808")
  }

  @Test("a text in Markdown tells nobody, draws no formula and links nowhere")
  func codeHosts() {
    #expect("@team $x$".markdownEscaped == "@<!-- -->team <span>$</span>x<span>$</span>")
    #expect("http://a.test www.b.test a*b".markdownEscaped == #"http\://a.test www\.b.test a\*b"#)
  }

  @Test(
    "a cell of CSV is no formula where a semicolon separates cells, and comes back as it was",
    arguments: [("a;=1+1", "a;'=1+1"), ("=1;2;'-3", "'=1;2;''-3"), (";", ";"), ("", ""), ("a;b", "a;b")])
  func semicolons(_ text: String, _ cell: String) {
    #expect(CSVLine.text([text]) == cell + "\r\n")
    #expect(CSVLine.withoutGuard(cell) == text)
  }

  @Test("in Markdown: numbers to the right, totals bold, and no cell ends a column or a line")
  func markdown() {
    var table = TextTable([.words("event"), .numbers("seen")], isRuled: false)
    table.addRow(["a|b\n`c`", "7"])
    table.addRule()
    table.addTotal(["all", ""])
    #expect(table.markdown == "| event | seen |\n| --- | --: |\n| a\\|b\\\\n\\`c\\` | 7 |\n| **all** |  |\n")
    #expect(table.text.hasPrefix("event     seen\n"))
  }
}
