// Needs no import: the client is another file's property.
extension HomeScreen {
  func resize(to width: Int, _ height: Int?) {
    client.submit(.init(name: "window_resize", parameters: ["width": width, "height": height ?? width]))
    client.submit(.init(name: "window_ratio", parameters: nil, extra: ["wide": width > (height ?? 0)]))
  }
}
