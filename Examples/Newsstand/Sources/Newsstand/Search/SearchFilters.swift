/// The filters of a search.
struct SearchFilters {
  let logger: any EventLogger

  func show(active: Int) {
    var parameters: [String: Any] = [:]
    if active > 0 { parameters["n"] = active }
    logger.logEvents(name: "filters.view", parameters: [parameters])
  }

  func pick(section: String?, author: String?) {
    var parameters: [String: Any] = [:]
    if let section { parameters["section"] = section }
    if let author { parameters["author"] = author }
    parameters["schema"] = 1
    logger.logEvents(name: "filters.pick", parameters: [parameters])
  }

  func pickDates(from: Int?, to: Int?) {
    var range: [String: Any] = [:]
    range["from"] = from ?? 0
    range["to"] = to ?? 0
    var parameters: [String: Any] = [:]
    parameters["days"] = range
    logger.logEvents(name: "filters.dates", parameters: [parameters])
  }

  func pickLength(atMost minutes: Int) {
    var parameters: [String: Any] = ["max": minutes]
    if minutes <= 5 {
      parameters["label"] = "short"
    } else if minutes <= 15 {
      parameters["label"] = "medium"
    }
    logger.logEvents(name: "filters.length", parameters: [parameters])
  }

  func sort(by order: String, ascending: Bool) {
    var parameters: [String: Any] = [:]
    parameters["order"] = order
    parameters["asc"] = ascending ? 1 : 0
    logger.logEvents(name: "filters.sort", parameters: [parameters])
  }

  func apply(hits: Int, milliseconds: Int) {
    var parameters: [String: Any] = ["hits": hits]
    parameters.updateValue(milliseconds, forKey: "ms")
    logger.logEvents(name: "filters.apply", parameters: [parameters])
  }

  func save(_ name: String, isShared: Bool) {
    var parameters: [String: Any] = [:]
    parameters["title"] = name
    guard isShared else {
      logger.logEvents(name: "filters.save", parameters: [parameters])
      return
    }
    parameters["shared_with"] = "family"
    logger.logEvents(name: "filters.share", parameters: [parameters])
  }

  func delete(_ name: String, wasUsed: Bool) {
    var parameters: [String: Any] = ["title": name]
    parameters["used"] = wasUsed
    logger.logEvents(name: "filters.delete", parameters: [parameters])
  }

  func reset(active: Int) {
    var parameters: [String: Any] = [:]
    defer { logger.logEvents(name: "filters.reset", parameters: [parameters]) }
    parameters["n"] = active
    parameters["debug"] = "reset"
  }
}
