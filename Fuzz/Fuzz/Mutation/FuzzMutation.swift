import CLibFuzzer

@testable import DualSendCore

/// How new inputs are made from old ones.
enum FuzzMutation: Sendable {
  /// Bytes only.
  case bytes
  /// Half of the time one of the parts is taken for JSON and edited as such.
  case json

  /// Changes an input in place; returns its new size.
  func apply(to data: UnsafeMutablePointer<UInt8>, _ size: Int, maximumSize: Int, seed: UInt32) -> Int {
    var random = SplitMix64(seed: UInt64(seed))
    guard case .json = self, Bool.random(using: &random),
      let edited = edited(Array(UnsafeBufferPointer(start: data, count: size)), using: &random),
      edited.count <= maximumSize
    else { return LLVMFuzzerMutate(data, size, maximumSize) }
    for (offset, byte) in edited.enumerated() { data[offset] = byte }
    return edited.count
  }

  /// The input with one to four edits of one part; `nil` if that part is no JSON.
  private func edited(_ bytes: [UInt8], using random: inout SplitMix64) -> [UInt8]? {
    var parts = bytes.split(separator: FuzzInput.separator, omittingEmptySubsequences: false).map { Array($0) }
    guard let index = parts.indices.randomElement(using: &random),
      let document = try? JSONReader().document(parts[index])
    else { return nil }
    var json = EditableJSON(document.root)
    for _ in 0..<Int.random(in: 1...4, using: &random) { json.edit(using: &random) }
    parts[index] = json.bytes
    return Array(parts.joined(separator: [FuzzInput.separator]))
  }
}
