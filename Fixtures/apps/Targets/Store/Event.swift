/// What happens in the store.
enum Event: String {
  case opened, paid

  var title: String { "store_" + rawValue }
}
