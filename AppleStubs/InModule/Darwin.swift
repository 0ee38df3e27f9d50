import Glibc

// Compiled into each target that imports Darwin, because a name of the own module goes before an imported one, such as
// Glibc's, which Foundation brings.

// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/chmod.2.html
// `mode_t` has 16 bits on Apple's systems and 32 on Linux.
typealias mode_t = UInt16

@discardableResult
func chmod(_ path: UnsafePointer<CChar>, _ mode: mode_t) -> Int32 {
  Glibc.chmod(path, Glibc.mode_t(mode))
}

// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/open.2.html
@_disfavoredOverload
func open(_ path: UnsafePointer<CChar>, _ flags: Int32, _ mode: mode_t) -> Int32 {
  Glibc.open(path, flags, Glibc.mode_t(mode))
}

// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/man2/stat.2.html
extension stat {
  var st_mtimespec: timespec { st_mtim }
}

// https://developer.apple.com/documentation/kernel/1387446-sysctlbyname
func sysctlbyname(
  _ name: UnsafePointer<CChar>!, _ old: UnsafeMutableRawPointer!, _ oldCount: UnsafeMutablePointer<Int>!,
  _ new: UnsafeMutableRawPointer!, _ newCount: Int
) -> Int32 { -1 }
