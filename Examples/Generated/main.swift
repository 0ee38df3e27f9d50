import DualSend

// The plugin generates these types before this file is compiled.
let tap = HomeLikeButtonTap(itemID: 42, liked: ._1)
let cart = CartScreenView(lines: [["sku": "a-7", "qty": "2"]], total: 12.5)

func show(_ event: some DualTypedEvent) {
  print("\(event.name) → \(event.newName)")
  for key in event.parameters.keys.sorted() { print("  - \(key)") }
  for key in event.newParameters.keys.sorted() { print("  + \(key)") }
}

show(tap)
show(cart)
print(tap.newForm.isLiked ? "the new form has isLiked = true" : "the new form has isLiked = false")
