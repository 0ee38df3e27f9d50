/// The arguments of the process.
public enum ProcessArguments {
  /// The arguments after the command's name.
  ///
  /// - Throws: ``CommandError`` for the first argument that is not UTF-8. Swift's own list repairs such bytes, which
  ///   could name another file or unit.
  public static func texts() throws(CommandError) -> [String] {
    let all = UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc))
    return try texts(of: all.dropFirst().compactMap { argument in argument.map { bytes(UnsafePointer($0)) } })
  }

  private static func bytes(_ text: UnsafePointer<CChar>) -> [UInt8] {
    var count = 0
    while text[count] != 0 { count += 1 }
    return (0..<count).map { UInt8(bitPattern: text[$0]) }
  }

  /// Decodes arguments.
  public static func texts(of arguments: [[UInt8]]) throws(CommandError) -> [String] {
    var texts: [String] = []
    for (index, bytes) in arguments.enumerated() {
      guard let text = String(utf8: bytes) else {
        throw CommandError(
          "argument \(index + 1) is not UTF-8", help: "is the file's name, or the terminal, in another encoding?")
      }
      texts.append(text)
    }
    return texts
  }
}

extension String {
  /// Decodes UTF-8; `nil` for invalid bytes, which `String` would repair.
  public init?(utf8 bytes: [UInt8]) {
    self.init(decoding: bytes, as: UTF8.self)
    guard utf8.elementsEqual(bytes) else { return nil }
  }
}
