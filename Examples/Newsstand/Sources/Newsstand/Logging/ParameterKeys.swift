/// The old collector's parameter keys.
enum ParameterKeys {
  static let articleID = "article_id"
  static let commentID = "comment_id"
  static let count = "n"
  static let debug = "debug"
  static let error = "err"
  static let hits = "hits"
  static let language = "lang"
  static let plan = "plan"
  static let position = "pos"
  static let price = "price"
  static let query = "q"
  static let reason = "reason"
  static let source = "src"
  static let trial = "trial"
}

extension ParameterKeys {
  enum Price {
    static let cents = "cents"
    static let currency = "cur"
  }
}
