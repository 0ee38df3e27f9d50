import CLibFuzzer
import Foundation

/// A reader of outside bytes under attack.
///
/// A target ends the process where a promise is broken (`precondition`): that is how libFuzzer learns of it.
struct FuzzTarget: Sendable {
  /// What the command line calls it.
  let name: String
  /// Which parts of an input are JSON, so that they are edited as JSON half of the time.
  let mutation: FuzzMutation
  /// Feeds one input.
  let attack: @Sendable (FuzzInput) -> Void

  static let all: [FuzzTarget] = [.json, .rollout, .remapping, .answer, .store, .streams]

  static func named(_ name: String) -> FuzzTarget? {
    all.first { $0.name == name }
  }

  /// The one that this process runs: libFuzzer calls back into plain functions.
  nonisolated(unsafe) fileprivate static var current: FuzzTarget?

  /// Hands the process over to libFuzzer; returns when it is done.
  func run(arguments: [String]) {
    Self.current = self
    var count = Int32(arguments.count)
    var pointers: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    let status = pointers.withUnsafeMutableBufferPointer { buffer in
      var arguments = buffer.baseAddress
      return withUnsafeMutablePointer(to: &arguments) { slot in
        slot.withMemoryRebound(to: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.self, capacity: 1) { slot in
          LLVMFuzzerRunDriver(&count, slot) { data, size in
            FuzzTarget.current?.attack(FuzzInput(UnsafeBufferPointer(start: data, count: size)))
            return 0
          }
        }
      }
    }
    exit(status)
  }
}

/// libFuzzer looks this function up by its name.
@_cdecl("LLVMFuzzerCustomMutator")
func mutate(
  _ data: UnsafeMutablePointer<UInt8>, _ size: Int, _ maximumSize: Int, _ seed: UInt32
) -> Int {
  guard let mutation = FuzzTarget.current?.mutation else { return LLVMFuzzerMutate(data, size, maximumSize) }
  return mutation.apply(to: data, size, maximumSize: maximumSize, seed: seed)
}
