let player = Player()
player.play("song")
player.stop()
player.again(Stopped())
