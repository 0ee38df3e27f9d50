/// What the sky does.
struct Weather {
  let station = Station()

  func blow(_ speed: Int, isWet: Bool) {
    station.report("storm", [.wind: speed, .place: "sea"])
    var values: [Station.Key: Any] = [.wind: speed]
    if isWet { values[.rain] = true }
    station.report("breeze", values)
    station.report("calm")
  }

  func rain() {
    station.log("rain", at: "hills", [.rain: 2])
    station.shout("thunder", [.rain: 9])
  }
}
