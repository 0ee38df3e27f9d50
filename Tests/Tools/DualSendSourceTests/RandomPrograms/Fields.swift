/// The parameters of an event without their values: which keys there are, and in what containers.
typealias Fields = [String: Field]

/// What stands under a key.
indirect enum Field: Hashable, Sendable {
  case value
  case object(Fields)
  case list([Fields])
}

extension Fields {
  /// The paths of everything that holds no further key, in the notation of a remapping table.
  var paths: Set<String> {
    var found: Set<String> = []
    for (key, field) in self {
      let path = Self.escaped(key)
      switch field {
      case .value: found.insert(path)
      case .object(let fields):
        found.formUnion(fields.isEmpty ? [path] : fields.paths.map { path + "." + $0 })
      case .list(let elements):
        let inner = elements.reduce(into: Set<String>()) { $0.formUnion($1.paths) }
        found.formUnion(inner.isEmpty ? [path] : inner.map { path + "[]." + $0 })
      }
    }
    return found
  }

  private static func escaped(_ key: String) -> String {
    String(key.flatMap { #".[]\"#.contains($0) ? ["\\", $0] : [$0] })
  }
}
