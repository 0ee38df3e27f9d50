/// Plays audio episodes.
final class AudioPlayer {
  private let logger: any EventLogger
  private let episode: Episode
  private var position = 0.0

  init(_ episode: Episode, logger: any EventLogger) {
    self.episode = episode
    self.logger = logger
  }

  func start() {
    logger.logEvents(
      name: AudioEventName.start.rawValue,
      parameters: [
        [
          AudioKey.episode.rawValue: episode.id, AudioKey.duration.rawValue: episode.seconds,
          AudioKey.downloaded.rawValue: episode.isDownloaded,
        ]
      ])
  }

  func pause(at seconds: Double) {
    position = seconds
    logger.logEvents(
      name: AudioEventName.pause.rawValue,
      parameters: [[AudioKey.episode.rawValue: episode.id, AudioKey.position.rawValue: position]])
  }

  func resume() {
    logger.logEvents(name: AudioEventName.resume.rawValue, parameters: [[AudioKey.position.rawValue: position]])
  }

  func finish() {
    logger.logEvents(name: AudioEventName.finish.rawValue, parameters: [[AudioKey.episode.rawValue: episode.id]])
  }

  func seek(to seconds: Double) {
    logger.logEvents(
      name: AudioEventName.seek.rawValue,
      parameters: [[AudioKey.from.rawValue: position, AudioKey.to.rawValue: seconds]])
    position = seconds
  }

  func play(at speed: Double) {
    logger.logEvents(
      name: AudioEventName.speed.rawValue,
      parameters: [[AudioKey.episode.rawValue: episode.id, AudioKey.speed.rawValue: String(speed)]])
  }

  func sleep(after minutes: Int) {
    logger.logEvents(name: AudioEventName.sleepTimer.rawValue, parameters: [["minutes": minutes]])
  }

  func move(to route: String) {
    logger.logEvents(name: AudioEventName.route.rawValue, parameters: [[AudioKey.route.rawValue: route]])
  }

  func stall(because reason: String) {
    let name = AudioEventName.stall
    logger.logEvents(
      name: name.rawValue, parameters: [[AudioKey.reason.rawValue: reason, AudioKey.position.rawValue: position]])
  }

  func enqueue(_ next: Episode) {
    logger.logEvents(
      name: AudioEventName.queue.rawValue,
      parameters: [[AudioKey.episode.rawValue: next.id, AudioKey.duration.rawValue: next.seconds]])
  }
}
