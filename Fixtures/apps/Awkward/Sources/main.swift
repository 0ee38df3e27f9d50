let player = Player()
player.start()
player.stop()
player.event()
player.kind = .talk
player.start()
player.event()
player.named()
player.kind = .song
player.start()
player.stop()
player.event()
player.named()
player.skip()
player.skip(["by": 2])
player.seek(to: nil)
player.seek(to: 0)
player.seek(to: 9)
player.rate(nil)
player.rate(1.5)
player.lend { $0.track("player_lent", parameters: ["volume": player.volume]) }

for radio in [Radio(analytics: Analytics()), LocalRadio(analytics: Analytics())] {
  radio.start()
  radio.tune(98.5) { Analytics.shared?.track("radio_tuning") }
  radio.scan(["a"])
  radio.describe()
  radio.stop()
}
Radio(analytics: MockAnalytics()).stop()
MockAnalytics().track("mock_only")

var podcast = Podcast()
podcast.play()
podcast.title = "tides"
podcast.play()
podcast.download { done in if done { Analytics.shared?.track("podcast_done") } }
podcast.fail(nil)
podcast.fail(.network(4))
podcast.fail(.disk)
podcast.subscribe(true)
podcast.subscribe(false)
podcast.rate(3, "stars")
podcast.share()
_ = playLegacy()
