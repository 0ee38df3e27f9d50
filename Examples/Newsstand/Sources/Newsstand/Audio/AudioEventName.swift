/// The names of the player's events.
enum AudioEventName: String {
  case start = "audio.start"
  case pause = "audio.pause"
  case resume = "audio.resume"
  case finish = "audio.finish"
  case seek = "audio.seek"
  case speed = "audio.speed.change"
  case sleepTimer = "audio.sleep_timer.set"
  case route = "audio.route.change"
  case stall = "audio.stall"
  case queue = "audio.queue.add"
}

/// The keys of the player's parameters. Some are implicit raw values.
enum AudioKey: String {
  case episode = "episode_id"
  case position = "sec"
  case duration
  case downloaded
  case speed
  case from
  case to
  case route = "out"
  case reason
}
