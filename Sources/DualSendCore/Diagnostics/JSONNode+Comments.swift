extension [JSONNode.Member] {
  /// The members that are no comments.
  ///
  /// A `"//"` or `"_comment"` key may stand in any object of a document that people edit, with any value.
  public var withoutComments: [JSONNode.Member] {
    contains(where: \.isComment) ? filter { !$0.isComment } : self
  }
}

extension JSONNode.Member {
  /// Whether the member is there for readers alone.
  public var isComment: Bool { Self.isComment(key) }

  /// Whether a member of this key is.
  public static func isComment(_ key: String) -> Bool {
    key == "//" || key == "_comment"
  }
}
