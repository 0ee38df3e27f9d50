/// Parameters that groups of events share.
enum SharedParameters {
  /// The reader's position.
  static func context(screen: String) -> [String: Any] {
    ["ctx": ["screen": screen, "app": "newsstand"], "uid": "reader-7"]
  }

  static func article(_ article: Article) -> [String: Any] {
    ["article_id": article.id, "section": article.section, "premium": article.isPremium]
  }

  static func episode(_ episode: Episode) -> [String: Any] {
    return [
      "episode_id": episode.id,
      "downloaded": episode.isDownloaded ? "1" : "0",
    ]
  }

  static var session: [String: Any] { ["session": "s-1", "build": "512"] }
}
