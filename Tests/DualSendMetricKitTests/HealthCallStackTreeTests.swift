import DualSendCore
import DualSendMetricKit
import Foundation
import Testing

@Suite("Call stacks", .timeLimit(.minutes(5)))
struct HealthCallStackTreeTests {
  @Test("are read frame by frame, with how deep each lies")
  func frames() throws {
    let tree = try #require(HealthCallStackTree(reading: try Sample.crashJSON()))
    #expect(tree.isPerThread)
    #expect(tree.stacks.map(\.isAttributed) == [false, true])
    let frames = try #require(tree.attributedStack).frames
    #expect(frames.map(\.offset) == [1000, 2000, 3000, 2500])
    #expect(frames.map(\.depth) == [0, 1, 2, 1])
    #expect(frames[2].binaryName == "UIKitCore")
    #expect(frames[0].binaryUUID == "6F1D3A52-90C1-3E0B-8A75-0C5B1D7E2F41")
    #expect(frames[0].address == 4_295_001_000)
    #expect(frames[0].sampleCount == 1)
    #expect(tree.cutStacks == 0)
  }

  @Test("are read from the tree alone as from a whole diagnostic")
  func treeAlone() throws {
    let text = #"{"callStacks": [{"callStackRootFrames": [{"address": -1}, {"address": 18446744073709551615}]}]}"#
    let tree = try #require(HealthCallStackTree(reading: Array(text.utf8)))
    #expect(!tree.isPerThread)
    #expect(tree.attributedStack?.frames.map(\.address) == [.max, .max])
    #expect(HealthCallStackTree(reading: Array(#"{"callStackTree": \#(text)}"#.utf8)) == tree)
  }

  @Test("pass over what is not as it should be")
  func wrongTypes() throws {
    let text = #"{"callStacks": [{"callStackRootFrames": [5, {"address": "x", "binaryName": 1, "new": [2]}]}, 7, {}]}"#
    let tree = try #require(HealthCallStackTree(reading: Array(text.utf8)))
    #expect(tree.stacks.map(\.frames.count) == [1, 0, 0])
    #expect(tree.stacks.first?.frames.first?.address == nil)
  }

  @Test(
    "are none where there is no JSON, or no stack in it", arguments: ["", "{", "[]", "null", "{}", "}", "{\"a\": [}"])
  func none(text: String) {
    #expect(HealthCallStackTree(reading: Array(text.utf8)) == nil)
  }

  @Test("are none in a text that is longer than 4 MiB")
  func tooLong() {
    let text = #"{"callStacks": [], "x": ""# + String(repeating: "x", count: 4 << 20) + #""}"#
    #expect(HealthCallStackTree(reading: Array(text.utf8)) == nil)
  }

  @Test("of thousands of frames are cut, on the small stack of a background thread, and that is counted")
  func deepStack() async throws {
    let depth = 4_000
    let open = #"{"binaryName": "App{[\"]}", "offsetIntoBinaryTextSegment": 1, "subFrames": ["#
    let text =
      #"{"callStackTree": {"callStacks": [{"callStackRootFrames": ["#
      + String(repeating: open, count: depth) + String(repeating: "]}", count: depth) + "]}]}}"
    let tree = await withCheckedContinuation { continuation in
      let thread = Thread { continuation.resume(returning: HealthCallStackTree(reading: Array(text.utf8))) }
      thread.stackSize = 512 << 10
      thread.start()
    }
    #expect(tree?.stacks.first?.frames.count == 548)
    #expect(tree?.cutStacks == 1)
  }

  @Test("with random damage are read or are none, and never more than that")
  func damage() throws {
    let original = try Sample.crashJSON()
    var random = SplitMix64(seed: 11)
    var none = 0
    for _ in 0..<300 {
      var bytes = original
      for _ in 0...random.number(below: 3) {
        let position = random.number(below: bytes.count)
        switch random.number(below: 3) {
        case 0: bytes[position] = UInt8(random.number(below: 256))
        case 1: bytes.removeSubrange(position..<min(bytes.count, position + 1 + random.number(below: 40)))
        default: bytes.insert(contentsOf: Array(#"[{"":"#.utf8).prefix(1 + random.number(below: 4)), at: position)
        }
      }
      if HealthCallStackTree(reading: bytes) == nil { none += 1 }
    }
    #expect(none > 100)
  }
}

@Suite("A diagnostic", .timeLimit(.minutes(5)))
struct HealthDiagnosticTests {
  @Test("keeps its JSON, and reads the call stacks from it")
  func json() throws {
    let json = try Sample.crashJSON()
    let diagnostic = HealthDiagnostic(.crash, json: json)
    #expect(diagnostic.json == json)
    #expect(diagnostic.callStacks?.stacks.count == 2)
  }

  @Test("keeps no JSON of more than 1 MiB, but its call stacks")
  func longJSON() {
    let padding = String(repeating: " ", count: HealthDiagnostic.maximumJSONBytes)
    let diagnostic = HealthDiagnostic(.hang, json: Array((#"{"callStacks": []}"# + padding).utf8))
    #expect(diagnostic.json == nil)
    #expect(diagnostic.callStacks?.stacks.isEmpty == true)
  }
}
