/// A song starts.
struct Played: Event {
  let song: String
  var isLoud = false

  var name: String { "played" }
  var payload: [String: Any] { isLoud ? ["song": song, "loud": true] : ["song": song] }
}

/// A song ends.
struct Stopped: Event {
  let name = "stopped"
  let payload: [String: Any] = ["by": "hand"]
}

extension Event where Self == Played {
  static func played(_ song: String) -> Played { Played(song: song) }
  static var anthem: Self { Self(song: "anthem", isLoud: true) }
}

extension Event where Self == Stopped {
  static var stopped: Stopped { .init() }
}
