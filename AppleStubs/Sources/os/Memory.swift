// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

#if !os(macOS)
  // https://developer.apple.com/documentation/os/os_proc_available_memory
  // A stand-in: 1.9 GB.
  @available(iOS 13, tvOS 13, watchOS 6, visionOS 1, *)
  public func os_proc_available_memory() -> Int { 1_900_000_000 }
#endif
