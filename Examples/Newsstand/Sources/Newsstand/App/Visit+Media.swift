/// Audio and offline reading.
extension Visit {
  func listen() {
    let player = AudioPlayer(episodes[0], logger: logger)
    player.start()
    player.pause(at: 31.5)
    player.resume()
    player.seek(to: 90.25)
    player.play(at: 1.5)
    player.sleep(after: 30)
    player.move(to: "headphones")
    player.stall(because: "network")
    player.enqueue(episodes[1])
    player.finish()

    let queue = AudioQueue(logger: logger)
    queue.show(2)
    queue.add(episodes[1], at: 1)
    queue.move(episodes[1], from: 1, to: 0)
    queue.skip(episodes[0], after: 12.5)
    queue.remove(episodes[0])
    queue.shuffle(true)
    queue.repeats("one")
    queue.save(as: "Commute")
    queue.clear(2)
    queue.finish(heard: 720.5)

    let controls = PlayerControls(logger: logger, place: .lockScreen)
    for button in [PlayerControls.Button.play, .pause, .next, .previous] { controls.press(button) }
    for flag in [true, false] {
      controls.hold(forward: flag, seconds: 15.5)
      controls.connect(wireless: flag)
      controls.lock(flag)
      controls.hide(flag)
    }
    for percent in [0, 60] { controls.volume(percent) }
    for reason in [nil, "battery"] { controls.disconnect(because: reason) }
    for command in [nil, "play"] { controls.speak(command) }
    for code in 1...3 { controls.fail(code) }
  }

  func goOffline() {
    let downloads = DownloadsScreen(logger: logger)
    downloads.show(3)
    downloads.start(articles[0], over: "wifi")
    downloads.progress(articles[0], bytes: 20_480)
    downloads.finish(articles[0], bytes: 61_440)
    downloads.fail(articles[1], code: 28)
    downloads.retry(articles[1])
    downloads.remove(articles[1])
    downloads.checkQuota(used: 1.25, free: 30.5)
    downloads.openSettings()
    downloads.removeAll(3)

    let queue = DownloadQueue(logger: logger)
    queue.add(articles[0], isManual: true)
    queue.add(articles[1], isManual: false)
    for network in [nil, "wifi"] { queue.start(over: network) }
    queue.fetch(articles[0], bytes: 20_480, milliseconds: 180)
    for failed in [0, 2] { queue.fetchImages(articles[0], found: 6, failed: failed) }
    for battery in [nil, 0.2] { queue.pause(because: "battery", battery: battery) }
    queue.resume(automatically: true)
    for code in [nil, 28] { queue.retry(articles[1], code: code) }
    queue.giveUp(articles[1], codes: [28, 56])
    queue.evict(articles, bytes: 4_096)
    queue.finish()

    let reader = OfflineReader(articles[2], logger: logger)
    reader.goOffline(network: "none")
    reader.open(age: 14)
    reader.scroll(to: 0.75)
    reader.missImage(1)
    reader.tapLink()
    reader.highlight(52)
    reader.close(after: 88.5)
    reader.expire()
    reader.goOnline(pending: 9)
    reader.sync(sent: 8, failed: 1)
  }
}
