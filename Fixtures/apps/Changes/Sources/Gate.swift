/// The gate, whose events are copied.
struct Gate {
  let analytics = Analytics.shared

  func open(isManual: Bool, by name: String?) {
    var notice = Notice(.gateOpened)
    notice.set("hand", isManual)
    notice.set("by", name)
    analytics.post(notice)
    var copy = notice
    copy.set("copied", true)
    analytics.post(isManual ? Notice(.gateClosed) : Notice(.lifeboat))
    analytics.post(notice)
  }

  func drill(_ isReal: Bool) {
    var notice = Notice(.lifeboat)
    if isReal { notice.set("real", true) }
    analytics.post(notice)
  }
}
