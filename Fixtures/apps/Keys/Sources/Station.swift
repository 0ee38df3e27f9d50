/// Sends reports, whose keys are the cases of an enum.
final class Station {
  enum Key: String {
    case wind, rain
    case place = "place_name"
  }

  func report(_ name: String, _ values: [Key: Any] = [:]) {
    Output.write(name: name, parameters: values.reduce(into: [:]) { $0[$1.key.rawValue] = $1.value })
  }

  /// Sends the keys in capitals, which a description cannot say.
  func shout(_ name: String, _ values: [Key: Any]) {
    let loud = Dictionary(uniqueKeysWithValues: values.map { ($0.key.rawValue.uppercased(), $0.value) })
    Output.write(name: name, parameters: loud)
  }

  func log(_ name: String, at place: String, _ values: [Key: Any]) {
    report("log_" + name, values.merging([.place: place]) { $1 })
  }
}
