/// The events of a subscription.
enum SubscriptionEvent: AppEvent {
  case opened
  case renewed(plan: String, cents: Int)
  case changed(from: String, to: String)
  case paused(months: Int)
  case cancelAsked
  case cancelled(reason: String)
  case keptInstead(offer: String)
  case paymentFailed(attempt: Int)
  case cardUpdated
  case invoiceOpened(id: String)

  var name: String {
    switch self {
    case .opened: return "subscription.view"
    case .renewed: return "subscription.renew"
    case .changed: return "subscription.change"
    case .paused: return "subscription.pause"
    case .cancelAsked: return "subscription.cancel.ask"
    case .cancelled: return "subscription.cancel"
    case .keptInstead: return "subscription.cancel.kept"
    case .paymentFailed: return "subscription.payment.failure"
    case .cardUpdated: return "subscription.card.update"
    case .invoiceOpened: return "subscription.invoice.view"
    }
  }

  var parameters: [String: Any] {
    switch self {
    case .opened, .cancelAsked, .cardUpdated:
      return [:]
    case .renewed(let plan, let cents):
      return ["plan": plan, "price": ["cents": cents, "cur": "EUR"]]
    case .changed(let from, let to):
      return ["from": from, "to": to]
    case .paused(let months):
      return ["months": String(months)]
    case .cancelled(let reason):
      return ["reason": reason]
    case .keptInstead(let offer):
      return ["offer": offer]
    case .paymentFailed(let attempt):
      return ["try": attempt]
    case .invoiceOpened(let id):
      return ["invoice": id]
    }
  }
}
