/// The page of beds.
struct BedsPage {
  let log = Garden.log

  func openBed(from place: String?) {
    log.track(.bedOpened, ["from": place ?? "start"])
  }

  func addBed(_ count: Int, note: String? = nil) {
    self.log.track(Action.bedAdded, ["count": count])
  }

  func moveBed(to place: Int) {
    self.log.track(Action.bedMoved, ["to": place, "far": place > 10])
  }

  func waterBed() {
    Garden.log.track(.bedWatered)
  }

  func openPlant(from place: String?) {
    Garden.log.track(.plantOpened, ["from": place ?? "start"])
  }

  func addPlant(_ count: Int, note: String? = nil) {
    log.track(.plantAdded, ["count": count])
  }

  func movePlant(to place: Int) {
    log.track(.plantMoved, ["to": place, "far": place > 10])
  }

  func waterPlant() {
    self.log.track(.plantWatered)
  }

  func openSeed(from place: String?) {
    self.log.track(.seedOpened, ["from": place ?? "start"])
  }

  func addSeed(_ count: Int, note: String? = nil) {
    Garden.log.track(.seedAdded, ["count": count])
  }

  func moveSeed(to place: Int) {
    Garden.log.track(.seedMoved, ["to": place, "far": place > 10])
  }

  func waterSeed() {
    log.track(.seedWatered)
  }

  func openBulb(from place: String?) {
    log.track(.bulbOpened, ["from": place ?? "start"])
  }

  func addBulb(_ count: Int, note: String? = nil) {
    self.log.track(.bulbAdded, ["count": count])
  }

  func moveBulb(to place: Int) {
    self.log.track(.bulbMoved, ["to": place, "far": place > 10])
  }

  func waterBulb() {
    Garden.log.track(Action.bulbWatered)
  }

  func openPot(from place: String?) {
    Garden.log.track(Action.potOpened, ["from": place ?? "start"])
  }

  func addPot(_ count: Int, note: String? = nil) {
    log.track(.potAdded, ["count": count])
  }

  func movePot(to place: Int) {
    log.track(.potMoved, ["to": place, "far": place > 10])
  }

  func waterPot() {
    self.log.track(.potWatered)
  }

  func toggleBed(_ isShown: Bool) {
    log.track(isShown ? .bedHidden : .bedShown)
  }

  func search(_ kind: String) {
    log.track(text: "garden_beds_search_\(kind)", ["kind": kind])
  }

  func fail(_ code: Int?) {
    guard let code else { return log.track(text: "garden_beds_fail") }
    log.track(text: "garden_beds_fail", ["code": code])
  }
}
