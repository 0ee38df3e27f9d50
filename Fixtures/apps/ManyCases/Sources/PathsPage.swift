/// The page of paths.
struct PathsPage {
  let log = Garden.log

  func openPath(from place: String?) {
    log.track(.pathOpened, ["from": place ?? "start"])
  }

  func addPath(_ count: Int, note: String? = nil) {
    self.log.track(Action.pathAdded, ["count": count])
  }

  func movePath(to place: Int) {
    self.log.track(Action.pathMoved, ["to": place, "far": place > 10])
  }

  func waterPath() {
    Garden.log.track(.pathWatered)
  }

  func openPond(from place: String?) {
    Garden.log.track(.pondOpened, ["from": place ?? "start"])
  }

  func addPond(_ count: Int, note: String? = nil) {
    log.track(.pondAdded, ["count": count])
  }

  func movePond(to place: Int) {
    log.track(.pondMoved, ["to": place, "far": place > 10])
  }

  func waterPond() {
    self.log.track(.pondWatered)
  }

  func openLawn(from place: String?) {
    self.log.track(.lawnOpened, ["from": place ?? "start"])
  }

  func addLawn(_ count: Int, note: String? = nil) {
    Garden.log.track(.lawnAdded, ["count": count])
  }

  func moveLawn(to place: Int) {
    Garden.log.track(.lawnMoved, ["to": place, "far": place > 10])
  }

  func waterLawn() {
    log.track(.lawnWatered)
  }

  func openCompost(from place: String?) {
    log.track(.compostOpened, ["from": place ?? "start"])
  }

  func addCompost(_ count: Int, note: String? = nil) {
    self.log.track(.compostAdded, ["count": count])
  }

  func moveCompost(to place: Int) {
    self.log.track(.compostMoved, ["to": place, "far": place > 10])
  }

  func waterCompost() {
    Garden.log.track(Action.compostWatered)
  }

  func openMulch(from place: String?) {
    Garden.log.track(Action.mulchOpened, ["from": place ?? "start"])
  }

  func addMulch(_ count: Int, note: String? = nil) {
    log.track(.mulchAdded, ["count": count])
  }

  func moveMulch(to place: Int) {
    log.track(.mulchMoved, ["to": place, "far": place > 10])
  }

  func waterMulch() {
    self.log.track(.mulchWatered)
  }

  func togglePath(_ isShown: Bool) {
    log.track(isShown ? .pathHidden : .pathShown)
  }

  func search(_ kind: String) {
    log.track(text: "garden_paths_search_\(kind)", ["kind": kind])
  }

  func fail(_ code: Int?) {
    guard let code else { return log.track(text: "garden_paths_fail") }
    log.track(text: "garden_paths_fail", ["code": code])
  }
}
