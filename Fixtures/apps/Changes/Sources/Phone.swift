/// The app in a passenger's hand.
struct Phone {
  let analytics = Analytics.shared

  func accept(again: Bool) {
    if again {
      analytics.track(.acceptTOSAgain, ["version": 2])
    } else {
      analytics.track(.tosAccepted)
    }
    analytics.track(.read)
    analytics.track(.openURL, ["secure": true])
  }

  func locate(_ isOn: Bool) {
    analytics.track(isOn ? .gpsOn : .gpsOff)
  }
}
