import DualSendCommandLine
import DualSendCommandTesting
import DualSendCore
import Testing

@Suite("The progress line", .timeLimit(.minutes(5)))
struct ProgressLineTests {
  private let uptime = Locked(Duration.zero)
  private var clock: TimeSource {
    TimeSource(wallMilliseconds: { 0 }, uptime: { [uptime] in uptime.current }, sleep: { _ in })
  }

  @Test("is written over itself and taken away at the end")
  func overwrites() {
    let recording = RecordingTerminal(isTerminal: true)
    var progress = ProgressLine(recording.terminal, timeSource: clock)
    progress.show("1 of 2")
    uptime.withLock { $0 += .seconds(1) }
    progress.show("2 of 2")
    progress.clear()
    progress.clear()
    #expect(recording.diagnostics == "\r\u{1B}[K1 of 2\r\u{1B}[K2 of 2\r\u{1B}[K")
  }

  @Test("is not written more than ten times a second")
  func throttles() {
    let recording = RecordingTerminal(isTerminal: true)
    var progress = ProgressLine(recording.terminal, timeSource: clock)
    for step in 0..<1000 {
      progress.show("\(step)")
      uptime.withLock { $0 += .milliseconds(1) }
    }
    #expect(recording.diagnostics.split(separator: "\r").count == 10)
  }

  @Test("is not written where no person reads it")
  func silentInPipe() {
    let recording = RecordingTerminal(isTerminal: false)
    var progress = ProgressLine(recording.terminal, timeSource: clock)
    progress.show("1 of 2")
    progress.clear()
    #expect(recording.diagnostics.isEmpty)
  }
}
