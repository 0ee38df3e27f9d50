/// Constants for event names.
enum EventNames {
  enum Search {
    static let view = "search.view"
    static let query = "search.query"
    static let resultTap = "search.result.tap"
    static let empty = "search.empty"
    static let recentTap = "search.recent.tap"
    static let recentClear = "search.recent.clear"
    static let voice = "search.voice"
    static let suggestion = "search.suggestion.tap"
    static let save = "search.save"
    static let cancel = "search.cancel"
  }

  enum Comments {
    static let view = "comments.view"
    static let more = "comments.more"
    static let like = "comments.like"
    static let reply = "comments.reply"
    static let report = "comments.report"
    static let hide = "comments.hide"
    static let copy = "comments.copy"
    static let translate = "comments.translate"
    static let profile = "comments.author.tap"
    static let close = "comments.close"
  }

  enum Paywall {
    private static let prefix = "paywall"
    static let view = prefix + ".view"
    static let planTap = prefix + ".plan.tap"
    static let buy = prefix + ".buy"
    static let success = "paywall.buy.success"
    static let failure = "paywall.buy.failure"
    static let restore = "paywall.restore"
    static let terms = "paywall.terms.view"
    static let login = "paywall.login"
    static let gift = "paywall.gift"
    static let close = "paywall.close"
  }
}
