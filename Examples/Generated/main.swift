import DualSend

// The plugin generates these types before this file is compiled.
let tap = HomeLikeButtonTap(itemID: 42, liked: ._1)
let cart = CartScreenView(lines: [["sku": "a-7", "qty": "2"]], total: 12.5)

let logger = SinkGroup([
  .plain("console") { name, parameters in print(name, parameters.keys.sorted().joined(separator: " ")) }
])
logger.log(tap)
logger.log(cart)
