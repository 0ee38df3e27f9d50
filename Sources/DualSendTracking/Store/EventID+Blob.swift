import DualSendCore
import Foundation

extension EventID {
  /// The id's 16 bytes.
  func withBlob<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    try withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { try body($0) }
  }

  var blob: Data { withBlob { Data($0) } }

  init?(blob: UnsafeRawBufferPointer) {
    guard blob.count == 16 else { return nil }
    self.init(
      high: UInt64(bigEndian: blob.loadUnaligned(fromByteOffset: 0, as: UInt64.self)),
      low: UInt64(bigEndian: blob.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
  }
}

extension [UInt8] {
  var blob: Data { Data(self) }
}
