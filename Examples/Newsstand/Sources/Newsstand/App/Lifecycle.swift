/// The app's lifecycle events.
struct Lifecycle {
  let logger: any EventLogger

  func launch(cold isCold: Bool, milliseconds: Int) {
    AppLaunched(isCold: isCold, milliseconds: milliseconds).post(to: logger)
  }

  func leave(after seconds: Double) {
    AppLeft(seconds: seconds).post(to: logger)
  }

  func update(from old: String, to new: String) {
    AppUpdated(old: old, new: new).post(to: logger)
  }

  func warn(_ megabytes: Int) {
    let event = MemoryWarning(megabytes: megabytes)
    event.post(to: logger)
  }

  func answerConsent(_ isGranted: Bool, for purposes: [String]) {
    ConsentAnswered(isGranted: isGranted, purposes: purposes).post(to: logger)
  }

  func measure(start: Int, draw: Int) {
    logger.logEvents(name: "app.measure", parameters: [["what": "start", "ms": start], ["what": "draw", "ms": draw]])
  }

  func list(_ modules: [String]) {
    logger.logEvents(name: "app.module", parameters: modules.map { ["module": $0] })
  }

  func sample(_ free: [Double]) {
    logger.logEvents(name: "app.disk", parameters: free.map { value in ["disk": ["free": value]] })
  }

  func crash(_ count: Int, signal: String) {
    let known: [[String: Any]] = [["signal": signal, "n": count]]
    logger.logEvents(name: "app.crash", parameters: known)
  }

  func quit(clean: Bool, open screens: [String]) {
    let all: [[String: Any]] = screens.map { ["screen": $0, "clean": clean] }
    logger.logEvents(name: "app.quit", parameters: all)
  }
}
