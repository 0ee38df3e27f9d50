import DualSendMetricKit
import Foundation
import Testing

@Suite("A diagnostic payload")
struct DiagnosticPayloadTests {
  private func diagnostic(_ kind: HealthDiagnostic.Kind) throws -> HealthDiagnostic {
    try #require(try Fixture.diagnostics().diagnostics.first { $0.kind == kind })
  }

  @Test("gives crashes their exception, signal and reason")
  func crash() throws {
    let crash = try #require(try diagnostic(.crash).crash)
    #expect((crash.exceptionType, crash.exceptionCode, crash.signal) == (1, 0, 11))
    #expect(crash.terminationReason == "Namespace SIGNAL, Code 11 Segmentation fault: 11")
    #expect(crash.virtualMemoryRegion == "0 is not in any region.")
    #expect(crash.exceptionReason["exceptionName"] == "NSRangeException")
  }

  @Test("gives hangs, launches, CPU and disk exceptions their measure")
  func measures() throws {
    #expect(try diagnostic(.hang).readings.quantity(.hangDuration)?.value(in: .seconds) == 2.5)
    #expect(try diagnostic(.slowLaunch).readings.quantity(.launchDuration)?.value(in: .seconds) == 12.5)
    #expect(try diagnostic(.cpuException).readings.quantity(.exceptionCPUTime)?.value(in: .seconds) == 90)
    #expect(try diagnostic(.cpuException).readings.quantity(.exceptionSampledTime)?.value(in: .seconds) == 180)
    let writes = try diagnostic(.diskWriteException).readings.quantity(.exceptionDiskWrites)
    #expect(writes?.value(in: .kilobytes) == 2_147_480)
  }

  @Test("gives call stacks frame by frame, with how deep each lies")
  func callStacks() throws {
    let stacks = try diagnostic(.crash).callStacks
    #expect(stacks.isPerThread)
    #expect(stacks.stacks.map(\.isAttributed) == [false, true])
    let frames = try #require(stacks.attributedStack).frames
    #expect(frames.map(\.offset) == [1000, 2000, 3000, 2500])
    #expect(frames.map(\.depth) == [0, 1, 2, 1])
    #expect(frames[2].binaryName == "UIKitCore")
    #expect(frames[0].binaryUUID == "6F1D3A52-90C1-3E0B-8A75-0C5B1D7E2F41")
    #expect(frames[0].address == 4_295_001_000)
    #expect(try diagnostic(.cpuException).callStacks.attributedStack?.frames.first?.sampleCount == 20)
  }

  @Test("names the version that each diagnostic happened to")
  func versions() throws {
    let launches = try Fixture.diagnostics().diagnostics.filter { $0.kind == .slowLaunch }
    #expect(launches.map(\.environment.appVersion) == ["25.4.10", "25.4.9"])
  }

  @Test("keeps diagnostics of a kind that it does not know")
  func unknown() throws {
    let unknown = try Fixture.diagnostics().unknown
    #expect(unknown.keys.sorted() == ["memoryExceptionDiagnostics"])
  }

  @Test("takes the older name of an Objective-C exception, and crash details beside the metadata")
  func olderForms() throws {
    let text = #"""
      {"crashDiagnostics": [
        {"signal": 6, "diagnosticMetaData": {"objectiveCexceptionReason": {"exceptionName": "N"}}}]}
      """#
    let crash = try #require(try HealthDiagnosticPayload(reading: Array(text.utf8)).diagnostics.first?.crash)
    #expect(crash.signal == 6)
    #expect(crash.exceptionReason["exceptionName"] == "N")
  }

  @Test("cuts a call stack of thousands of frames, on the small stack of a background thread, and counts that")
  func deepStack() async throws {
    let depth = 4_000
    let open = #"{"binaryName": "App{[\"]}", "offsetIntoBinaryTextSegment": 1, "subFrames": ["#
    let text =
      #"{"crashDiagnostics": [{"callStackTree": {"callStacks": [{"callStackRootFrames": ["#
      + String(repeating: open, count: depth) + String(repeating: "]}", count: depth) + "]}]}}]}"
    let payload = try await withCheckedThrowingContinuation { continuation in
      let thread = Thread {
        continuation.resume(with: Result { try HealthDiagnosticPayload(reading: Array(text.utf8)) })
      }
      thread.stackSize = 512 << 10
      thread.start()
    }
    let frames = try #require(payload.diagnostics.first?.callStacks.stacks.first?.frames)
    #expect(frames.count == 547)
    #expect(payload.textCounts.emptiedContainers == 1)
    #expect(payload.findings.map(\.code.rawValue) == ["DS0904"])
  }

  @Test("keeps of an unknown value what an event can hold, and counts what is nested deeper")
  func deepUnknown() throws {
    let nested = String(repeating: "[", count: 300) + String(repeating: "]", count: 300)
    let text = #"{"futureDiagnostics": \#(nested)}"#
    let payload = try HealthDiagnosticPayload(reading: Array(text.utf8))
    #expect(payload.unknown.count == 1)
    #expect(payload.textCounts.emptiedContainers == 1)
  }
}
