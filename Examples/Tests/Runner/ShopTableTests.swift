import DualSend
import DualSendTables
import Foundation
import ShopRecipes
import Testing

struct ShopTableTests {
  @Test func theDocumentThatOpsReadIsTheTableThatTheAppShips() throws {
    let document = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Documents/remapping.json")
    #expect(try RemappingTable(reading: Data(contentsOf: document)).json == ShopTable.table.json)
    #expect(ShopTable.table.problems.isEmpty)
  }
}
