/// How a golden file stands to what became of its event.
public enum GoldenVerdict: Sendable, Hashable {
  /// The file holds exactly that.
  case matches
  /// The file holds something else; the lines that differ, `-` as in the file, `+` as it is now.
  case differs(String)
  /// There is no such file.
  case missing
}

/// Why a check against golden files fails. It shows payloads: golden files are about them.
public enum GoldenFailure: Error, Sendable, Hashable {
  /// The file does not hold what became of the event.
  case differs(file: String, lines: String)
  /// The file is not there.
  case missing(file: String)
  /// Files that belong to no event.
  case orphaned(files: [String])
  /// The file was written; a run that records proves nothing, so it fails.
  case recorded(file: String)
  /// Recording was asked for where nobody looks at what is recorded.
  case recordingRefused
  /// The file or its folder cannot be read or written; the system's own words.
  case inaccessible(file: String, reason: String)
}

extension GoldenFailure: CustomStringConvertible {
  /// What is wrong and the way out.
  public var description: String {
    switch self {
    case .differs(let file, let lines):
      """
      the golden file \(file) says otherwise (- golden file, + now):
      \(lines)
      if this is right now, \(Self.howToRecord)
      """
    case .missing(let file): "the golden file \(file) is missing; \(Self.howToRecord)"
    case .orphaned(let files): "no event belongs to these golden files, delete them: \(files.joined(separator: ", "))"
    case .recorded(let file):
      "the golden file \(file) was recorded; look at it, commit it, and run again without recording"
    case .recordingRefused: "golden files are not recorded where `CI` is set; unset \(GoldenMode.recordingVariable)"
    case .inaccessible(let file, let reason): "\(file): \(reason)"
    }
  }

  private static var howToRecord: String {
    "record it with \(GoldenMode.recordingVariable)=1, look at it, and commit it"
  }
}
