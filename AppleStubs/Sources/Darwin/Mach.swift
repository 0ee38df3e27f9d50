// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// How much memory a process uses. A stand-in: 100 MB.
// https://developer.apple.com/documentation/kernel/1537934-task_info

public typealias natural_t = UInt32
public typealias integer_t = Int32
public typealias mach_port_t = UInt32
public typealias mach_port_name_t = natural_t
public typealias task_flavor_t = natural_t
public typealias mach_msg_type_number_t = natural_t
public typealias kern_return_t = Int32

public var KERN_SUCCESS: Int32 { 0 }
public var TASK_VM_INFO: Int32 { 22 }

// https://github.com/apple-oss-distributions/xnu/blob/main/osfmk/mach/mach_traps.h
public func task_self_trap() -> mach_port_name_t { 1 }

public struct task_vm_info_data_t {
  public var virtual_size: UInt64 = 0
  public var phys_footprint: UInt64 = 0

  public init() {}
}

public func task_info(
  _ task: mach_port_t, _ flavor: task_flavor_t, _ words: UnsafeMutablePointer<integer_t>!,
  _ count: UnsafeMutablePointer<mach_msg_type_number_t>!
) -> kern_return_t {
  guard task == task_self_trap(), flavor == TASK_VM_INFO else { return 4 }
  words[2] = 100_000_000
  words[3] = 0
  return KERN_SUCCESS
}
