import DualSendCollector
import DualSendCore
import Testing

@Suite("A fault's one-line form", .timeLimit(.minutes(5)))
struct CollectorFaultTextTests {
  private static let valid: [(String, CollectorFault)] = [
    ("503", CollectorFault(.status(503))),
    ("503*3", CollectorFault(.status(503), .next(3))),
    ("p=0.3:503", CollectorFault(.status(503), .random(0.3))),
    ("every=4:500", CollectorFault(.status(500), .every(4))),
    ("retry-after=2:429", CollectorFault(.status(429), retryAfter: .seconds(2))),
    ("retry-after-date=2:429*1", CollectorFault(.status(429), .next(1), retryAfter: .date(secondsFromNow: 2))),
    ("limit=1000", CollectorFault(.limit(bytes: 1000))),
    ("delay=0.5", CollectorFault(.delay(.milliseconds(500)))),
    ("drip=0.25", CollectorFault(.drip(.milliseconds(250)))),
    ("drop*2", CollectorFault(.drop, .next(2))),
    ("p=1:lose", CollectorFault(.lose, .random(1))),
    ("cut", CollectorFault(.cut)),
    ("reject=item.tap", CollectorFault(.reject(.name("item.tap")))),
    ("reject=home.*", CollectorFault(.reject(.name("home.*")))),
    ("poison=@bad", CollectorFault(.poison(.payloadKey("bad"), status: 400))),
    ("status=422:poison=home.open", CollectorFault(.poison(.name("home.open"), status: 422))),
    ("reject=" + eventID(1).description, CollectorFault(.reject(.id(eventID(1))))),
  ]

  @Test("is read as what it says", arguments: valid)
  func reads(_ text: String, _ fault: CollectorFault) throws {
    #expect(try CollectorFault(text) == fault)
  }

  @Test(
    "is refused with the text, the word and the way out",
    arguments: [
      ("", "`` is not a fault: unknown word ``; known words: drop, lose, cut, delay, drip, limit, reject, poison"),
      ("dorp", "`dorp` is not a fault: unknown word `dorp`; did you mean `drop`?"),
      ("evry=3:503", "`evry=3:503` is not a fault: unknown word `evry`; did you mean `every`?"),
      ("503*0", "`503*0` is not a fault: `*0` affects no request"),
      ("p=2:503", "`p=2:503` is not a fault: `p` takes a number 0.0…1.0, not `2`"),
      ("every=0:503", "`every=0:503` is not a fault: `every` takes a whole number from 1, not `0`"),
      ("99", "`99` is not a fault: `status` takes a whole number 200…599, not `99`"),
    ])
  func refuses(_ text: String, _ message: String) {
    #expect(throws: CollectorFault.SyntaxError.self) { try CollectorFault(text) }
    do throws(CollectorFault.SyntaxError) { _ = try CollectorFault(text) } catch {
      #expect(error.description == message)
    }
  }
}
