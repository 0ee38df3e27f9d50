/// The lines that an engine's JSON functions split exactly, and the expressions for that: `line` is such a line, and
/// `is_plain` tells whether it is one.
///
/// A plain line has scalars and one object of scalars, the payload. Its shape is determined by its keys. Its text lists the
/// payload first, so that the payload's values are numbered from 1.
struct PlainLines {
  /// Whether a line is plain.
  func isPlain(_ stream: StreamForm) -> String { "ds_is_plain(line, '\(stream.payload)')" }

  /// The digest of the shape of a line, plain or not.
  func digest(_ stream: StreamForm) -> String {
    "CASE WHEN is_plain THEN ds_digest(ds_plain_keys(line, '\(stream.payload)')) ELSE ds_digest(ds_shape(ds_parts(line))) END"
  }

  /// The shape of a line, plain or not.
  func text(_ stream: StreamForm) -> String {
    "CASE WHEN is_plain"
      + " THEN ds_plain_shape(line, '\(stream.name)', '\(stream.payload)', [\(stream.members)]) ELSE ds_shape(ds_parts(line)) END"
  }

  /// The scalars that determine an event, in the order of ``Head``.
  ///
  /// - Parameter id: the path of the id in the old payload.
  func heads(_ stream: StreamForm, _ id: String?, _ dialect: any SQLDialect) -> String {
    var paths = ["/eventId", "/\(stream.name)", "/decision", "/\(stream.time)"]
    if let id, stream.side == "old" {
      paths += [id, JoinStages.decisionPattern].map { "/\(stream.payload)" + $0.asJSONPointer }
    }
    return "ds_plain_heads(line, [\(paths.map { dialect.literal($0) }.joined(separator: ", "))])"
  }

  /// The scalars of the payload.
  func values(_ stream: StreamForm) -> String { "ds_plain_values(line, '\(stream.payload)')" }

  /// A scalar of ``heads(_:_:_:)``, stored in a column because lists take longer to write and read.
  enum Head: String, CaseIterable {
    case id, name, decision, time, stamped, decided

    var column: String { rawValue + "_head" }
  }
}

extension String {
  /// A path of the query, which escapes `[` as well, as a JSON pointer.
  fileprivate var asJSONPointer: String {
    split(separator: "~2", omittingEmptySubsequences: false).joined(separator: "[")
  }
}
