/// Manages the subscription.
struct SubscriptionScreen {
  let logger: any EventLogger

  func show() {
    send(.opened)
  }

  func renew(_ plan: Plan) {
    send(.renewed(plan: plan.id, cents: plan.cents))
  }

  func change(from old: Plan, to new: Plan) {
    send(.changed(from: old.id, to: new.id))
  }

  func pause(for months: Int) {
    send(.paused(months: months))
  }

  func cancel(because reason: String) {
    send(.cancelAsked)
    send(.cancelled(reason: reason))
  }

  func keep(with offer: String) {
    send(.keptInstead(offer: offer))
  }

  func failPayment(attempt: Int) {
    send(.paymentFailed(attempt: attempt))
  }

  func updateCard() {
    send(.cardUpdated)
  }

  func openInvoice(_ id: String) {
    send(.invoiceOpened(id: id))
  }

  private func send(_ event: SubscriptionEvent) {
    logger.send(event)
  }
}
