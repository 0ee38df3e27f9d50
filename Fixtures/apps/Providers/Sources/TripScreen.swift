/// A trip's page.
final class TripScreen {
  private let tracking: EventTracking
  private let trip: String
  var isFavourite = false

  init(tracking: EventTracking, trip: String) {
    self.tracking = tracking
    self.trip = trip
  }

  func appear() {
    tracking.logScreen("trip")
    tracking.log("trip_open", parameters: ["trip": trip])
  }

  func favouriteTapped() {
    isFavourite.toggle()
    tracking.log(isFavourite ? "trip_favourite" : "trip_unfavourite", parameters: ["trip": trip])
  }

  func book(seats: Int, coupon: String?) {
    var parameters: [String: Any] = ["trip": trip, "seats": seats]
    parameters["coupon"] = coupon
    tracking.log("trip_book", parameters: parameters)
  }

  func cancel(reason: Reason?) {
    tracking.log("trip_cancel", parameters: reason.map { ["reason": $0.rawValue] })
  }

  func share() {
    self.tracking.log("trip_share", parameters: nil)
  }

  enum Reason: String { case weather, price }
}
