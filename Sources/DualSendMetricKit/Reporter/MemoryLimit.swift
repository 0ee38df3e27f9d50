#if os(iOS) || os(visionOS)
  // `mach_task_self_` is imported as a global variable.
  @preconcurrency import Darwin
  import os
#endif

/// The memory limit of this process.
enum MemoryLimit {
  /// In bytes; `nil` if unknown, such as in a simulator.
  static var current: Int64? {
    #if os(iOS) || os(visionOS)
      let available = os_proc_available_memory()
      guard available > 0, let used = footprint else { return nil }
      return Int64(clamping: used).addingClamped(Int64(clamping: available))
    #else
      return nil
    #endif
  }

  #if os(iOS) || os(visionOS)
    private static var footprint: UInt64? {
      var info = task_vm_info_data_t()
      var count = mach_msg_type_number_t(MemoryLayout<task_vm_info_data_t>.size / MemoryLayout<natural_t>.size)
      let result = withUnsafeMutablePointer(to: &info) { pointer in
        pointer.withMemoryRebound(to: integer_t.self, capacity: Int(count)) { words in
          task_info(mach_task_self_, task_flavor_t(TASK_VM_INFO), words, &count)
        }
      }
      return result == KERN_SUCCESS ? info.phys_footprint : nil
    }
  #endif
}
