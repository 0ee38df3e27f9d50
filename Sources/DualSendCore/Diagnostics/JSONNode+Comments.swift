extension [JSONNode.Member] {
  /// The members without comments.
  ///
  /// A comment has the key `"//"` or `"_comment"` and any value. Documents that people edit may have them in any
  /// object.
  public var withoutComments: [JSONNode.Member] {
    contains(where: \.isComment) ? filter { !$0.isComment } : self
  }
}

extension JSONNode.Member {
  /// Whether the member is a comment.
  public var isComment: Bool { Self.isComment(key) }

  /// Whether a member with this key is a comment.
  public static func isComment(_ key: String) -> Bool {
    key == "//" || key == "_comment"
  }
}
