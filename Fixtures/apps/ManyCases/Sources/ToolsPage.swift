/// The page of tools.
struct ToolsPage {
  let log = Garden.log

  func openTool(from place: String?) {
    log.track(.toolOpened, ["from": place ?? "start"])
  }

  func addTool(_ count: Int, note: String? = nil) {
    self.log.track(Action.toolAdded, ["count": count])
  }

  func moveTool(to place: Int) {
    self.log.track(Action.toolMoved, ["to": place, "far": place > 10])
  }

  func waterTool() {
    Garden.log.track(.toolWatered)
  }

  func openShed(from place: String?) {
    Garden.log.track(.shedOpened, ["from": place ?? "start"])
  }

  func addShed(_ count: Int, note: String? = nil) {
    log.track(.shedAdded, ["count": count])
  }

  func moveShed(to place: Int) {
    log.track(.shedMoved, ["to": place, "far": place > 10])
  }

  func waterShed() {
    self.log.track(.shedWatered)
  }

  func openHose(from place: String?) {
    self.log.track(.hoseOpened, ["from": place ?? "start"])
  }

  func addHose(_ count: Int, note: String? = nil) {
    Garden.log.track(.hoseAdded, ["count": count])
  }

  func moveHose(to place: Int) {
    Garden.log.track(.hoseMoved, ["to": place, "far": place > 10])
  }

  func waterHose() {
    log.track(.hoseWatered)
  }

  func openGate(from place: String?) {
    log.track(.gateOpened, ["from": place ?? "start"])
  }

  func addGate(_ count: Int, note: String? = nil) {
    self.log.track(.gateAdded, ["count": count])
  }

  func moveGate(to place: Int) {
    self.log.track(.gateMoved, ["to": place, "far": place > 10])
  }

  func waterGate() {
    Garden.log.track(Action.gateWatered)
  }

  func openFence(from place: String?) {
    Garden.log.track(Action.fenceOpened, ["from": place ?? "start"])
  }

  func addFence(_ count: Int, note: String? = nil) {
    log.track(.fenceAdded, ["count": count])
  }

  func moveFence(to place: Int) {
    log.track(.fenceMoved, ["to": place, "far": place > 10])
  }

  func waterFence() {
    self.log.track(.fenceWatered)
  }

  func toggleTool(_ isShown: Bool) {
    log.track(isShown ? .toolHidden : .toolShown)
  }

  func search(_ kind: String) {
    log.track(text: "garden_tools_search_\(kind)", ["kind": kind])
  }

  func fail(_ code: Int?) {
    guard let code else { return log.track(text: "garden_tools_fail") }
    log.track(text: "garden_tools_fail", ["code": code])
  }
}
