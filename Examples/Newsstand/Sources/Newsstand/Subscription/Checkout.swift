/// The checkout. Builds its parameters step by step.
struct Checkout {
  let logger: any EventLogger
  let plan: Plan

  func begin(coupon: String?, referrer: String?) {
    var parameters: [String: Any] = ["plan": plan.id]
    if let coupon { parameters["coupon"] = coupon }
    if let referrer { parameters["src"] = referrer }
    logger.logEvents(name: "checkout.begin", parameters: [parameters])
  }

  func enterAddress(country: String, isCompany: Bool) {
    var parameters: [String: Any] = [:]
    parameters["country"] = country
    parameters["company"] = isCompany
    logger.logEvents(name: "checkout.address", parameters: [parameters])
  }

  func choosePayment(_ method: String, saves: Bool) {
    var parameters: [String: Any] = [:]
    parameters["method"] = method
    if saves { parameters["save"] = "1" } else { parameters["save"] = "0" }
    logger.logEvents(name: "checkout.payment", parameters: [parameters])
  }

  func apply(_ coupon: String, percent: Int?) {
    var parameters = [String: Any]()
    parameters["coupon"] = coupon
    guard let percent else {
      parameters["err"] = "404"
      logger.logEvents(name: "checkout.coupon.failure", parameters: [parameters])
      return
    }
    parameters["percent"] = percent
    logger.logEvents(name: "checkout.coupon", parameters: [parameters])
  }

  func confirm(trialDays: Int?) {
    var price: [String: Any] = ["cents": plan.cents]
    price["cur"] = "EUR"
    var parameters: [String: Any] = ["plan": plan.id, "price": price]
    if plan.hasTrial, let trialDays { parameters["trial_days"] = trialDays }
    logger.logEvents(name: "checkout.confirm", parameters: [parameters])
  }

  func wait(seconds: Double) {
    var parameters: [String: Any] = ["sec": seconds]
    switch seconds {
    case ..<1: parameters["speed"] = "fast"
    case ..<5: parameters["speed"] = "slow"
    default: parameters["speed"] = "stuck"
    }
    logger.logEvents(name: "checkout.wait", parameters: [parameters])
  }

  func verify(attempts: Int) {
    var parameters: [String: Any] = [:]
    for attempt in 1...attempts { parameters["try"] = attempt }
    parameters["method"] = "3ds"
    logger.logEvents(name: "checkout.verify", parameters: [parameters])
  }

  func finish(order: String, email: String?) {
    var parameters: [String: Any] = ["order": order, "email": email ?? "", "cents": plan.cents]
    parameters["email"] = nil
    parameters.removeValue(forKey: "none")
    logger.logEvents(name: "checkout.done", parameters: [parameters])
  }

  func abandon(at step: Int, because reason: String?) {
    var parameters: [String: Any] = ["step": String(step)]
    parameters["reason"] = reason ?? "unknown"
    logger.logEvents(name: "checkout.abandon", parameters: [parameters])
  }
}
