import CustomDump
import GRDB
import Testing

@testable import DualSendTracking

@Suite("The lists of the ledger's counters and of an event's columns", .timeLimit(.minutes(5)))
struct StoreListsTests {
  @Test("each number of a ledger is in the list of counters, read by its name, and added")
  func counters() throws {
    let numbers = Mirror(reflecting: TrackingLedger()).children.filter { $0.value is Int }.compactMap(\.label)
    expectNoDifference(TrackingLedger.counters.map(\.name).sorted(), numbers.sorted())

    let stored = Dictionary(uniqueKeysWithValues: zip(numbers, 1...).map { ($0, Int64($1)) })
    var ledger = try #require(TrackingLedger(stored.merging(["dropped.tooLarge": 50]) { $1 }))
    ledger += ledger
    for (name, count) in TrackingLedger.counters { #expect(stored[name] == Int64(ledger[keyPath: count]) / 2) }
    #expect(ledger.dropped == [.tooLarge: 100])
    #expect(TrackingLedger(["pending": -1]) == nil)
  }

  @Test("the columns are those of the table, in its order")
  func columns() throws {
    let folder = try TemporaryFolder()
    let store = try SQLiteTrackingDataStore(file: folder.file("db"))
    let columns = try store.database.read { try $0.columns(in: "event").map(\.name) }
    expectNoDifference(EventColumn.allCases.map { "\($0)" }, columns)
    expectNoDifference(EventColumn.list, columns.joined(separator: ", "))
  }
}
