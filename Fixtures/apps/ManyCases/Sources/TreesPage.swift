/// The page of trees.
struct TreesPage {
  let log = Garden.log

  func openTree(from place: String?) {
    log.track(.treeOpened, ["from": place ?? "start"])
  }

  func addTree(_ count: Int, note: String? = nil) {
    self.log.track(Action.treeAdded, ["count": count])
  }

  func moveTree(to place: Int) {
    self.log.track(Action.treeMoved, ["to": place, "far": place > 10])
  }

  func waterTree() {
    Garden.log.track(.treeWatered)
  }

  func openHerb(from place: String?) {
    Garden.log.track(.herbOpened, ["from": place ?? "start"])
  }

  func addHerb(_ count: Int, note: String? = nil) {
    log.track(.herbAdded, ["count": count])
  }

  func moveHerb(to place: Int) {
    log.track(.herbMoved, ["to": place, "far": place > 10])
  }

  func waterHerb() {
    self.log.track(.herbWatered)
  }

  func openRose(from place: String?) {
    self.log.track(.roseOpened, ["from": place ?? "start"])
  }

  func addRose(_ count: Int, note: String? = nil) {
    Garden.log.track(.roseAdded, ["count": count])
  }

  func moveRose(to place: Int) {
    Garden.log.track(.roseMoved, ["to": place, "far": place > 10])
  }

  func waterRose() {
    log.track(.roseWatered)
  }

  func openHedge(from place: String?) {
    log.track(.hedgeOpened, ["from": place ?? "start"])
  }

  func addHedge(_ count: Int, note: String? = nil) {
    self.log.track(.hedgeAdded, ["count": count])
  }

  func moveHedge(to place: Int) {
    self.log.track(.hedgeMoved, ["to": place, "far": place > 10])
  }

  func waterHedge() {
    Garden.log.track(Action.hedgeWatered)
  }

  func openVine(from place: String?) {
    Garden.log.track(Action.vineOpened, ["from": place ?? "start"])
  }

  func addVine(_ count: Int, note: String? = nil) {
    log.track(.vineAdded, ["count": count])
  }

  func moveVine(to place: Int) {
    log.track(.vineMoved, ["to": place, "far": place > 10])
  }

  func waterVine() {
    self.log.track(.vineWatered)
  }

  func toggleTree(_ isShown: Bool) {
    log.track(isShown ? .treeHidden : .treeShown)
  }

  func search(_ kind: String) {
    log.track(text: "garden_trees_search_\(kind)", ["kind": kind])
  }

  func fail(_ code: Int?) {
    guard let code else { return log.track(text: "garden_trees_fail") }
    log.track(text: "garden_trees_fail", ["code": code])
  }
}
