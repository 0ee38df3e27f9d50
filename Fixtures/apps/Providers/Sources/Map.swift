/// The map: its tracking may be missing.
final class Map {
  var tracking: EventTracking?
  var zoom = 1

  func pinch(to level: Int) {
    defer { zoom = level }
    tracking?.log("map_zoom", parameters: ["from": zoom, "to": level])
  }

  func tap(_ pin: String?) {
    guard let pin else {
      tracking?.log("map_tap")
      return
    }
    tracking?.log("map_pin_tap", parameters: ["pin": pin])
  }

  func locate(precise: Bool, accuracy: Double?) {
    let parameters: [String: Any]? = precise ? ["accuracy": accuracy ?? 0] : nil
    tracking?.log("map_locate", parameters: parameters)
  }
}
