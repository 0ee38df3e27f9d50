let log = ActivityLog.shared
log.logEvent(kEventAppOpen, parameters: nil)

let run = RunController()
run.start(weather: nil)
run.run(1.5)
run.pause()
run.end(after: 600)
run.end(after: 700, comment: "windy")

let ghost = GhostRunController()
ghost.start(weather: .rain)
ghost.pause()

let settings = Settings()
settings.wire()
settings.set("sound", true)
settings.set("sound", false)
settings.export(.text)
settings.export(.table(";"))
_ = settings.ask("why")

log.logEvent(kEventAppClose, parameters: ["runs": 2])
