import DualSendCore
import Testing

@testable import DualSendDrafting

/// Workbooks as bytes. `scripts/check sheets` has those that LibreOffice writes.
@Suite("A workbook as a sheet", .timeLimit(.minutes(5)))
struct WorkbookTests {
  private static let workbook =
    #"<workbook><sheets><sheet name="Plan &amp; names" r:id="r1"/><sheet name="Old" r:id="r2"/></sheets></workbook>"#
  private static let links = #"<Relationships><Relationship Target="worksheets/sheet1.xml" Id="r1"/></Relationships>"#
  private static let styles =
    #"<styleSheet><numFmts><numFmt numFmtId="170" formatCode="yyyy\-mm"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>"#
    + #"<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="170"/></cellXfs></styleSheet>"#
  private static let shared =
    "<sst><si><t>event</t></si><si><r><t>ke</t></r><r><t>y</t></r><rPh><t>no</t></rPh></si><si><t>new key</t></si><si><t>default</t></si></sst>"

  private static func xlsx(_ rows: String) -> [(String, String)] {
    let header =
      #"<row r="2"><c r="A2" t="s"><v>0</v></c><c r="B2" t="s"><v>1</v></c><c r="C2" t="s"><v>2</v></c><c r="D2" t="s"><v>3</v></c></row>"#
    return [
      ("xl/workbook.xml", workbook), ("xl/_rels/workbook.xml.rels", links), ("xl/styles.xml", styles),
      ("xl/sharedStrings.xml", shared),
      (
        "xl/worksheets/sheet1.xml",
        "<?xml version=\"1.0\"?><worksheet><sheetData>\(header)\(rows)</sheetData></worksheet>"
      ),
    ]
  }

  private static func ods(_ rows: String) -> [(String, String)] {
    let header = ["event", "key", "new key", "default"].map {
      "<table:table-cell><text:p>\($0)</text:p></table:table-cell>"
    }
    return [
      (
        "content.xml",
        "<office:document-content><table:table table:name=\"Plan\"><table:table-row table:number-rows-repeated=\"1\"/>"
          + "<table:table-row>\(header.joined())</table:table-row>\(rows)</table:table></office:document-content>"
      )
    ]
  }

  private static func little(_ number: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }

  /// A ZIP archive; of the files, each second one is deflated.
  private static func zip(_ files: [(String, String)], damage: Bool = false) throws -> [UInt8] {
    var (archive, directory): ([UInt8], [UInt8]) = ([], [])
    for (index, (name, text)) in files.enumerated() {
      let segment = try #require(DeflateSegment(compressing: Array(text.utf8)))
      let isDeflated = index.isMultiple(of: 2)
      let deflated = DeflateSegment.joined([segment], as: .deflate).dropFirst(2).dropLast(4)
      let packed = isDeflated ? Array(deflated) : Array(text.utf8)
      let crc = Int(segment.crc32) ^ (damage ? 1 : 0)
      let head = little(20, 2) + little(0, 2) + little(isDeflated ? 8 : 0, 2) + little(0, 4) + little(crc, 4)
      let sizes = little(packed.count, 4) + little(text.utf8.count, 4) + little(name.utf8.count, 2)
      directory += little(0x0201_4B50, 4) + little(20, 2) + head + sizes + little(0, 2) + little(0, 2)
      directory += little(0, 8) + little(archive.count, 4) + Array(name.utf8)
      archive += little(0x0403_4B50, 4) + head + sizes + little(0, 2) + Array(name.utf8) + packed
    }
    let start = archive.count
    return archive + directory + little(0x0605_4B50, 4) + little(0, 4) + little(files.count, 2) + little(files.count, 2)
      + little(directory.count, 4) + little(start, 4) + little(0, 2)
  }

  private func addresses(_ bytes: [UInt8]) -> [String] {
    do throws(DocumentError) {
      _ = try TableImport(bytes, name: "plan.xlsx")
      return []
    } catch {
      return error.diagnostics.map { String($0.message.prefix { $0 != ":" }) }
    }
  }

  @Test("is read by its cells: shared, inline and calculated texts, numbers and booleans")
  func officeOpen() throws {
    let rows =
      #"<row r="3"><c r="A3" t="inlineStr"><is><t>home</t></is></c><c r="B3" t="str"><f>A1</f><v>src</v></c><c r="C3" t="inlineStr"><is><t>so&#x75;rce</t></is></c></row>"#
      + #"<row><c t="inlineStr"><is><t>home</t></is></c><c t="inlineStr"><is><t>on</t></is></c><c t="inlineStr"><is><t>is_on</t></is></c><c t="b"><v>1</v></c></row>"#
      + #"<row><c/><c t="inlineStr"><is><t>n</t></is></c><c t="inlineStr"><is><t>number</t></is></c><c s="0"><v>7</v></c></row>"#
    let read = try TableImport(try Self.zip(Self.xlsx(rows)))
    let parameters: EventValue = [
      "src": "source", "on": ["to": "is_on", "default": true], "n": ["to": "number", "default": 7],
    ]
    #expect(read.json == ["formatVersion": 1, "events": ["home": ["parameters": parameters]]])
    #expect(read.reading.hasPrefix("sheet `Plan & names`, the first of 2; columns: event, key, new key, default"))
  }

  @Test("is refused by the cell where it has an error or a date")
  func refused() throws {
    let rows =
      #"<row r="9"><c r="A9" t="e"><v>#REF!</v></c><c r="B9" t="s"><v>1</v></c><c r="C9" s="1"><v>46143</v></c></row>"#
      + #"<row r="12"><c r="A12" t="b"><v>0</v></c><c r="B12" s="2"><v>1</v></c><c r="C12" t="s"><v>0</v></c>"#
      + #"<c r="D12" t="e"><v>#N/A</v></c></row>"#
    #expect(addresses(try Self.zip(Self.xlsx(rows))) == ["A9", "C9", "A12", "B12", "D12"])
    let cells =
      #"<table:table-row table:number-rows-repeated="3"/><table:table-row><table:table-cell table:number-columns-repeated="2" office:value-type="date" office:date-value="2026-05-01T00:00:00"><text:p>May</text:p></table:table-cell></table:table-row>"#
    #expect(addresses(try Self.zip(Self.ods(cells))) == ["A6", "B6"])
  }

  @Test("of LibreOffice has repeated cells, paragraphs and notes that are no text of the cell")
  func openDocument() throws {
    func cell(_ inner: String, _ attributes: String = "") -> String {
      "<table:table-cell \(attributes)>\(inner)</table:table-cell>"
    }
    let rows =
      "<table:table-row>" + cell("<office:annotation><text:p>why</text:p></office:annotation><text:p>home</text:p>")
      + cell("<text:p>a<text:s/>b</text:p>") + cell("<text:p><text:span>sou</text:span>rce</text:p>")
      + cell("<text:p>TRUE</text:p>", #"office:value-type="boolean" office:boolean-value="true""#)
      + "</table:table-row>"
      + #"<table:table-row table:number-rows-repeated="1048000"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>"#
    let read = try TableImport(try Self.zip(Self.ods(rows)))
    #expect(
      read.json == [
        "formatVersion": 1, "events": ["home": ["parameters": ["a b": ["to": "source", "default": true]]]],
      ])
  }

  @Test("that is damaged, cut off or something else is refused, and a bomb is not unpacked")
  func hostile() throws {
    let whole = try Self.zip(Self.xlsx(""))
    #expect(addresses(whole) == [])
    for cut in stride(from: 4, to: whole.count, by: 97) {
      #expect(!addresses(Array(whole.prefix(cut))).isEmpty, "\(cut)")
    }
    #expect(!addresses(try Self.zip(Self.xlsx(""), damage: true)).isEmpty)
    #expect(!addresses(try Self.zip([("word/document.xml", "<w/>")])).isEmpty)
    var generator = SplitMix64(seed: 3)
    for _ in 0..<300 {
      var bytes = whole
      for _ in 0..<4 {
        bytes[Int.random(in: 4..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
      }
      _ = addresses(bytes)
    }
    // Places and counts that no sheet has.
    let huge = "9223372036854775807"
    for place in ["A\(huge)", "\(huge)", "12", "ZZZZZZZZZZZZ1", "-1", ""] {
      for row in [huge, "-\(huge)", "0", "x"] {
        let rows =
          "<row r=\"\(row)\"><c r=\"\(place)\" t=\"s\"><v>\(huge)</v></c><c><v>1</v></c></row><row><c s=\"1\"><v>1e300</v></c></row>"
        _ = addresses(try Self.zip(Self.xlsx(rows + rows)))
      }
    }
    for count in [huge, "-\(huge)", "0", "x"] {
      let cell =
        "<table:table-cell table:number-columns-repeated=\"\(count)\"><text:p>a<text:s text:c=\"\(count)\"/></text:p></table:table-cell>"
      let nested = "<text:p><table:table-cell>a<text:s/><text:line-break/></table:table-cell></text:p>"
      let rows = "<table:table-row table:number-rows-repeated=\"\(count)\">\(cell)\(cell)\(nested)</table:table-row>"
      _ = addresses(try Self.zip(Self.ods(rows + rows)))
    }
    let bomb = String(repeating: " ", count: 70 << 20)
    #expect(!addresses(try Self.zip([("content.xml", bomb)])).isEmpty)
    let entities = Self.ods(
      "<!DOCTYPE x [<!ENTITY a \"aaaa\">]><table:table-row><table:table-cell><text:p>&a;&#99999999;</text:p></table:table-cell></table:table-row>"
    )
    #expect(addresses(try Self.zip(entities)) == ["A3"], "no entity of the file's own is expanded")
  }
}
