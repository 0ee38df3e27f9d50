extension KeyPathPattern {
  /// The written form as a regular expression, escaped for a JSON string, for the schemas of documents that hold paths.
  package static let schemaPattern =
    #"^(?:[^.\\[\\\\]|\\\\[.\\[\\]\\\\])+(?:\\[\\])*"#
    + #"(?:\\.(?:[^.\\[\\\\]|\\\\[.\\[\\]\\\\])+(?:\\[\\])*){0,31}$"#
}
