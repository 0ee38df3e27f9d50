import DualSendRemapping

extension KeyPathPattern {
  /// The written form as a regular expression, escaped for a JSON string, for the schemas of documents that hold paths.
  static let schemaPattern =
    #"^(?:[^.\\[\\\\]|\\\\[.\\[\\]\\\\])+(?:\\[\\])*"#
    + #"(?:\\.(?:[^.\\[\\\\]|\\\\[.\\[\\]\\\\])+(?:\\[\\])*){0,31}$"#
}
