/// Characters that Unicode normalisation (NFC) never changes, in any combination with each other.
///
/// Latin, Greek, Cyrillic, kana, Han, Hangul syllables and pictographs, without combining marks and without the four Greek
/// characters that NFC replaces.
enum NormalForm {
  private static let stable: [ClosedRange<UInt32>] = [
    0x00...0x7F, 0xA0...0x2FF, 0x370...0x373, 0x375...0x37D, 0x37F...0x386, 0x388...0x482, 0x48A...0x52F,
    0x200D...0x200D, 0x3041...0x3096, 0x30A1...0x30FA, 0x4E00...0x9FFF, 0xAC00...0xD7A3, 0xFE0F...0xFE0F,
    0x1F000...0x1FAFF,
  ]

  /// The ranges for a character class.
  static var pattern: String {
    stable.map { "\\x{\(String($0.lowerBound, radix: 16))}-\\x{\(String($0.upperBound, radix: 16))}" }.joined()
  }

  static func isStable(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { scalar in stable.contains { $0.contains(scalar.value) } }
  }
}
