// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// https://developer.apple.com/documentation/os/os_proc_available_memory
// A stand-in: 1.9 GB.
public func os_proc_available_memory() -> Int { 1_900_000_000 }
