/// The downloaded articles.
struct DownloadsScreen {
  private enum Name: String {
    case view = "downloads.view"
    case start = "downloads.start"
    case progress = "downloads.progress"
    case done = "downloads.done"
    case failed = "downloads.failed"
    case retry = "downloads.retry"
    case remove = "downloads.remove"
    case removeAll = "downloads.remove_all"
    case quota = "downloads.quota"
    case settings = "downloads.settings"
  }

  private enum Key: String {
    case article = "article_id"
    case bytes
    case error = "err"
    case free
    case network = "net"
    case count = "n"
    case used
  }

  let logger: any EventLogger

  func show(_ count: Int) {
    logger.logEvents(name: Name.view.rawValue, parameters: [[Key.count.rawValue: count]])
  }

  func start(_ article: Article, over network: String) {
    logger.logEvents(
      name: Name.start.rawValue,
      parameters: [[Key.article.rawValue: article.id, Key.network.rawValue: network]])
  }

  func progress(_ article: Article, bytes: Int) {
    logger.logEvents(
      name: Name.progress.rawValue, parameters: [[Key.article.rawValue: article.id, Key.bytes.rawValue: bytes]])
  }

  func finish(_ article: Article, bytes: Int) {
    logger.logEvents(
      name: Name.done.rawValue, parameters: [[Key.article.rawValue: article.id, Key.bytes.rawValue: String(bytes)]])
  }

  func fail(_ article: Article, code: Int) {
    logger.logEvents(
      name: Name.failed.rawValue, parameters: [[Key.article.rawValue: article.id, Key.error.rawValue: String(code)]])
  }

  func retry(_ article: Article) {
    logger.logEvents(name: Name.retry.rawValue, parameters: [[Key.article.rawValue: article.id]])
  }

  func remove(_ article: Article) {
    logger.logEvents(name: Name.remove.rawValue, parameters: [[Key.article.rawValue: article.id]])
  }

  func removeAll(_ count: Int) {
    logger.logEvents(name: Name.removeAll.rawValue, parameters: [[Key.count.rawValue: count, "debug": "all"]])
  }

  func checkQuota(used: Double, free: Double) {
    logger.logEvents(
      name: Name.quota.rawValue, parameters: [["disk": [Key.used.rawValue: used, Key.free.rawValue: free]]])
  }

  func openSettings() {
    logger.logEvents(name: Name.settings.rawValue, parameters: [[:]])
  }
}
