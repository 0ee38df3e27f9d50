import DualSendCore
import DualSendRemapping
import Foundation
import Testing

@Suite("Table fixtures", .timeLimit(.minutes(5)))
struct TableFixtureTests {
  @Test("every valid table is read without a warning", arguments: try fixtureNames(in: "remapping/valid"))
  func valid(name: String) throws {
    let bytes = try Data(contentsOf: fixtures.appending(path: "remapping/valid/" + name))
    #expect(try RemappingTable(reading: bytes, name: name).warnings.isEmpty)
  }

  @Test(
    "every invalid table is refused with the code in its name", arguments: try fixtureNames(in: "remapping/invalid"))
  func invalid(name: String) throws {
    let bytes = try Data(contentsOf: fixtures.appending(path: "remapping/invalid/" + name))
    let error = #expect(throws: DocumentError.self) { try RemappingTable(reading: bytes, name: name) }
    #expect(error?.diagnostics.map(\.code.rawValue) == [String(name.prefix(6))])
    #expect(error?.diagnostics.allSatisfy { $0.position != nil && $0.file == name } == true)
  }
}
