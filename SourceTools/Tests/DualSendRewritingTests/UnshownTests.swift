import DualSendInventory
import DualSendRemapping
import DualSendRewriting
import DualSendSource
import Testing

/// A result that, read by itself, is not known to log the same.
@Suite("dualsend rewrite finish: what cannot be shown")
struct UnshownTests {
  /// A plan is declared in a file that is not Swift: what its id is says only the event's case.
  private static let files = [
    (
      "Events.swift",
      """
      protocol Logger { func logEvents(name: String, parameters: [[String: Any]]) }
      enum Event {
        case renewed(id: String), ended
        var name: String { switch self { case .renewed: "shown"; case .ended: "other" } }
        var parameters: [String: Any] { switch self { case .renewed(let id): ["id": id]; case .ended: [:] } }
      }
      extension Logger {
        func send(_ event: Event) { logEvents(name: event.name, parameters: [event.parameters]) }
      }
      """
    ),
    ("Plans.swift", "func renew(_ l: any Logger, _ plan: Plan) { l.send(.renewed(id: plan.id)) }\n"),
    ("Switch.swift", "func flip(_ l: any Logger) { l.logEvents(name: \"on\", parameters: [[\"n\": 1]]) }\n"),
  ]

  @Test("its file stays as it is, with the reason, and the others are written")
  func stays() throws {
    let texts = SourceTexts(Self.files)
    let plan = try FinishPlan(
      texts, SourceInventory(texts), table: RemappingTable(Rewriting.table.utf8, name: nil), tracker: "t",
      functions: LoggingFunction.known, threads: 1)
    #expect(plan.changed.keys.sorted() == ["Switch.swift"])
    #expect(plan.changed["Switch.swift"]?.contains(#"t.sendLog(name: "switched.on", payload: ["count": 1])"#) == true)
    #expect(plan.rewrittenCount == 1)
    #expect(
      plan.left.map { [$0.site.file, $0.reason] } == [
        [
          "Plans.swift",
          "of its file it could not be shown that the result logs what the table says of home.shown",
        ]
      ])
  }
}
