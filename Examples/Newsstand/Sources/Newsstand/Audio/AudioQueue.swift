/// The playback queue.
struct AudioQueue {
  let logger: any EventLogger

  func show(_ count: Int) {
    log("audio_queue.view", ["n": count])
  }

  func add(_ episode: Episode, at position: Int) {
    log(
      "audio_queue.add", SharedParameters.episode(episode).merging(["pos": String(position)]) { old, _ in old })
  }

  func remove(_ episode: Episode) {
    log("audio_queue.remove", SharedParameters.episode(episode))
  }

  func move(_ episode: Episode, from old: Int, to new: Int) {
    let places: [String: Any] = ["from": old, "to": new]
    log("audio_queue.move", SharedParameters.episode(episode).merging(places) { _, new in new })
  }

  func skip(_ episode: Episode, after seconds: Double) {
    var parameters = SharedParameters.episode(episode)
    parameters["sec"] = seconds
    log("audio_queue.skip", parameters)
  }

  func shuffle(_ isOn: Bool) {
    logger.logEvents(
      name: "audio_queue.shuffle",
      parameters: [["on": isOn].merging(SharedParameters.context(screen: "queue")) { own, _ in own }])
  }

  func repeats(_ mode: String) {
    logger.logEvents(
      name: "audio_queue.repeat",
      parameters: [["mode": mode].merging(SharedParameters.context(screen: "queue"), uniquingKeysWith: { $1 })])
  }

  func clear(_ count: Int) {
    log("audio_queue.clear", ["n": count, "debug": "clear"])
  }

  func save(as title: String) {
    log("audio_queue.save", ["title": title])
  }

  func finish(heard seconds: Double) {
    log("audio_queue.done", ["sec": seconds, "schema": 1])
  }

  private func log(_ name: String, _ parameters: [String: Any]) {
    logger.logEvents(name: name, parameters: [parameters.merging(SharedParameters.session) { own, _ in own }])
  }
}
