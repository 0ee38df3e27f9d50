public import DualSendCore

/// A progress line on the diagnostics stream, overwritten in place. Shown only on a terminal.
public struct ProgressLine: Sendable {
  private static let interval = Duration.milliseconds(100)
  private static let clearLine = "\r\u{1B}[K"

  private let stream: Console.Stream
  private let uptime: @Sendable () -> Duration
  private var lastShown: Duration?

  /// Creates a progress line.
  public init(_ console: Console, timeSource: TimeSource = .system) {
    stream = console.diagnostics
    uptime = timeSource.uptime
  }

  /// Shows the text, at most ten times a second; otherwise does not evaluate it.
  public mutating func show(_ text: @autoclosure () -> String) {
    guard stream.isTerminal else { return }
    let now = uptime()
    if let lastShown, now - lastShown < Self.interval { return }
    lastShown = now
    let line = text().printable(limit: PrintableText.lineLimit)
    // A line that wraps could not be overwritten.
    stream.write(Self.clearLine + (stream.columns.map { String(line.prefix($0 - 1)) } ?? line))
  }

  /// Removes the line, so that other output starts on an empty one.
  public mutating func clear() {
    guard lastShown != nil else { return }
    lastShown = nil
    stream.write(Self.clearLine)
  }
}
