/// The paywall of premium articles.
struct Paywall {
  let logger: any EventLogger

  func show(for article: Article) {
    logger.logEvents(
      name: EventNames.Paywall.view,
      parameters: [[ParameterKeys.articleID: article.id, ParameterKeys.source: "article"]])
  }

  func choose(_ plan: Plan, at position: Int) {
    logger.logEvents(
      name: EventNames.Paywall.planTap,
      parameters: [
        [
          ParameterKeys.plan: plan.id, ParameterKeys.position: String(position), ParameterKeys.trial: plan.hasTrial,
        ]
      ])
  }

  func buy(_ plan: Plan) {
    logger.logEvents(
      name: EventNames.Paywall.buy,
      parameters: [
        [
          ParameterKeys.plan: plan.id,
          ParameterKeys.price: [ParameterKeys.Price.cents: plan.cents, ParameterKeys.Price.currency: "EUR"],
        ]
      ])
  }

  func succeed(_ plan: Plan, order: String) {
    logger.logEvents(
      name: EventNames.Paywall.success, parameters: [[ParameterKeys.plan: plan.id, "order": order]])
  }

  func fail(_ plan: Plan, code: Int) {
    logger.logEvents(
      name: EventNames.Paywall.failure,
      parameters: [[ParameterKeys.plan: plan.id, ParameterKeys.error: String(code)]])
  }

  func restore(found: Int) {
    logger.logEvents(name: EventNames.Paywall.restore, parameters: [[ParameterKeys.count: found]])
  }

  func showTerms() {
    logger.logEvents(name: EventNames.Paywall.terms, parameters: [[ParameterKeys.language: "en"]])
  }

  func logIn() {
    logger.logEvents(name: EventNames.Paywall.login, parameters: [[ParameterKeys.source: "paywall"]])
  }

  func give(_ plan: Plan) {
    logger.logEvents(
      name: EventNames.Paywall.gift, parameters: [[ParameterKeys.plan: plan.id, "months": plan.months]])
  }

  func close(because reason: String) {
    logger.logEvents(name: EventNames.Paywall.close, parameters: [[ParameterKeys.reason: reason]])
  }
}
