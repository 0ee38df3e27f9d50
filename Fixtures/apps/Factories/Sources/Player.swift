/// Plays songs.
struct Player {
  let recorder = Recorder()

  func play(_ song: String) {
    recorder.track(.played(song))
    recorder.track(.anthem)
    recorder.track(Played(song: song, isLoud: true))
  }

  func stop() { recorder.track(.stopped) }

  func again<Kind: Event>(_ event: Kind) { recorder.track(event) }
}

/// Not what `again` means by its own `Kind`.
enum Kind { case one }
