/// Whether golden files are compared or written.
public enum GoldenMode: Sendable, Hashable {
  /// Files are compared.
  case verify
  /// Files are written.
  case record

  /// The environment variable that asks for recording when it is `1`.
  public static let recordingVariable = "DUALSEND_RECORD_GOLDEN"

  /// Reads the mode from a process's environment.
  ///
  /// - Throws: ``GoldenFailure/recordingRefused`` if recording is asked for and `CI` is set to anything but an empty text.
  public init(environment: [String: String]) throws(GoldenFailure) {
    guard environment[Self.recordingVariable] == "1" else {
      self = .verify
      return
    }
    guard !Self.refusesRecording(in: environment) else { throw .recordingRefused }
    self = .record
  }

  /// Whether nobody looks at what a process of this environment records: `CI` is set to anything but an empty text, which counts as not set.
  public static func refusesRecording(in environment: [String: String]) -> Bool {
    environment["CI"]?.isEmpty == false
  }
}
