/// Where tickets are sold.
struct Counter {
  let analytics = Analytics.shared

  func sell(price: Int, code: String?) {
    analytics.logTicket("ticket_sold", ["price": price], extra: ["class": 2])
    var values: [String: Any] = ["price": price]
    values.add(code, for: "code")
    analytics.log("ticket_priced", values)
    analytics.logTrip("ticket_checked")
    analytics.logTrip("ticket_used", ["gate": 4])
  }

  func refund(_ reasons: [String: Any]) {
    analytics.logTicket("ticket_refunded", reasons)
  }

  func count(_ prices: [Int]) {
    var seats: [String: Any] = ["all": 30]
    for (deck, count) in ["upper": 10, "lower": 20] { seats["seats_" + deck] = count }
    analytics.log("seats_counted", seats)
    seats.replace(with: ["left": 2])
    analytics.log("seats_left", seats)
    var sums: [String: Any] = [:]
    for price in prices { sums["at_\(price)"] = true }
    analytics.log("prices_counted", sums)
  }
}
