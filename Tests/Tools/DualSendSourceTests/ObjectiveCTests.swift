import DualSendSource
import Foundation
import Testing

@Suite("Calls in Objective-C", .timeLimit(.minutes(5)))
struct ObjectiveCTests {
  private func read(_ files: [String: Data]) throws -> SourceInventory {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("objc-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for (name, data) in files { try data.write(to: folder.appendingPathComponent(name)) }
    return SourceInventory(SourceTexts(SourceFinder.files([folder.path])))
  }

  @Test("lists messages to wrappers that Objective-C sees, under the names that it sees, and no others")
  func wrappers() throws {
    let swift = """
      let logger: any OldLogger = make()
      @objc final class Tracker: NSObject {
        @objc static func track(_ name: String) { logger.logEvents(name: name, parameters: [[:]]) }
        @objc(sendEvent:) static func send(_ name: String) { track(name) }
        static func hidden(_ name: String) { track(name) }
      }
      @objcMembers class Members: NSObject { func report(name: String) { Tracker.track(name) } }
      extension Members { func note(_ name: String) { Tracker.track(name) } }
      final class More: Members { func mark(_ name: String) { Tracker.track(name) } }
      final class Plain: NSObject { func leave(_ name: String) { Tracker.track(name) } }
      func a() { Tracker.track("from_swift") }
      """
    let screen = """
      - (void)viewDidLoad {
        [Tracker track:@"one"]; // [Tracker track:@"in a comment"]
        [Tracker sendEvent:@"two"];
        [[Members new] reportWithName:@"three"];
        [Tracker hidden:@"not visible"]; [Tracker send:@"not its name"]; [[Plain new] leave:@"not visible"];
        [[Members new] note:@"four"];
        [[More new] mark:@"five"];
      }
      """
    let sites = try read(["Tracker.swift": Data(swift.utf8), "Screen.m": Data(screen.utf8)]).inventory.callSites
    let places = sites.filter { $0.file.hasSuffix(".m") }
    #expect(places.map(\.line) == [2, 3, 4, 6, 7])
    #expect(places.allSatisfy { $0.certainty == .dynamic })
    #expect(sites.contains { $0.summary == "exact from_swift()" })
  }

  @Test(
    "reads a name that is a literal of its own, and none that is put together or that a wrapper gets",
    arguments: [
      (#"[log logEvents:@"a" parameters:p]"#, ["a"]), (#"[log logEventsWithName:@"a"]"#, ["a"]),
      (#"[log logEvents:[@"a" stringByAppendingString:b]]"#, []), (#"[log logEvents:@"a" @"b"]"#, []),
      (#"[log logEvents:@"a" SUFFIX]"#, []), (#"[log logEvents:flag ? @"a" : @"b"]"#, []),
      (#"[Tracker track:@"a"]"#, []),
    ])
  func names(message: String, expected: [String]) throws {
    let swift = """
      let logger: any OldLogger = make()
      @objc final class Tracker: NSObject {
        @objc static func track(_ name: String) { logger.logEvents(name: "x_" + name, parameters: [[:]]) }
      }
      """
    let screen = "void f(void) { \(message); }\n"
    let sites = try read(["Tracker.swift": Data(swift.utf8), "Screen.m": Data(screen.utf8)]).inventory.callSites
    let found = sites.filter { $0.file.hasSuffix(".m") }
    #expect(found.count == 1)
    #expect(found.flatMap(\.events).map(\.name) == expected)
    #expect(found.map(\.certainty) == [expected.isEmpty ? .dynamic : .partial])
  }

  @Test("reads headers, and names a file in another encoding")
  func files() throws {
    let call = #"static inline void f(void) { [log logEventsWithName:@"a" parameters:@[]]; }"#
    let wide = Data(call.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] } + [0xFF])
    let read = try read(["Inline.h": Data(call.utf8), "Wide.m": wide])
    #expect(read.inventory.callSites.map { $0.file.hasSuffix("/Inline.h") } == [true])
    #expect(read.skipped.map { $0.file.hasSuffix("/Wide.m") } == [true])
  }
}
