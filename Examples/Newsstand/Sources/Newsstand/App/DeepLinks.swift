import Foundation

/// Opens links from campaigns and the web view. Event names often come from the link.
struct DeepLinks {
  let logger: any EventLogger

  func open(_ link: URL) {
    logger.logEvents(name: "link.\(link.host ?? "none")", parameters: [["path": link.path]])
  }

  func openCampaign(_ name: String, day: Int) {
    logger.logEvents(name: "campaign_\(name)_day_\(day)", parameters: [["campaign": name]])
  }

  func openNumbered(_ step: Int) {
    logger.logEvents(name: "tour_\(step)", parameters: [["step": String(step)]])
  }

  func fail(_ status: Int) {
    logger.logEvents(name: "link_error_\(status)", parameters: [["err": String(status)]])
  }

  /// The server names the event and all of its parameters.
  func receive(_ message: Data) {
    guard let message = try? JSONDecoder().decode(Message.self, from: message) else { return }
    logger.logEvents(name: message.event, parameters: [message.values])
  }

  /// The page in the web view names the event; the parameters are known here.
  func receiveFromPage(_ name: String, height: Int) {
    logger.logEvents(name: name, parameters: [["h": height, "src": "web"]])
  }

  func receiveQuery(of link: URL) {
    let items = URLComponents(url: link, resolvingAgainstBaseURL: false)?.queryItems ?? []
    var parameters: [String: Any] = [:]
    for item in items { parameters[item.name] = item.value ?? "" }
    logger.logEvents(name: "link.query", parameters: [parameters])
  }

  func assign(_ experiments: [String: String]) {
    logger.logEvents(name: "experiments.assign", parameters: [experiments])
  }

  func expose(_ experiment: String, _ variant: String) {
    logger.logEvents(name: "experiments.expose", parameters: [["exp_" + experiment: variant]])
  }

  func replay(_ names: [String]) {
    for name in names.sorted() {
      logger.logEvents(name: name, parameters: [["replayed": true]])
    }
  }

  private struct Message: Decodable {
    let event: String
    let values: [String: String]
  }
}
