/// The digit of a number below 16.
func lowerHexDigit(_ number: UInt8) -> UInt8 {
  number < 10 ? UInt8(ascii: "0") + number : UInt8(ascii: "a") - 10 + number
}

func hexDigit(_ byte: UInt8) -> UInt64? {
  switch byte {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte - UInt8(ascii: "0"))
  case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(byte - UInt8(ascii: "a") + 10)
  case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt64(byte - UInt8(ascii: "A") + 10)
  default: nil
  }
}
