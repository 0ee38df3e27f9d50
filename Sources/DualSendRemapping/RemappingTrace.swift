package import DualSendCore

/// The origin of each value of a remapped event, and the destination of each value of the old one.
///
/// Contains paths and row names, never values. Both lists are sorted by path.
package struct RemappingTrace: Sendable, Equatable {
  /// The origin of a value of the new payload.
  package enum Origin: Sendable, Equatable {
    /// A row moved it from this path.
    case row(source: EventPath, ValueRule.Outcome)
    /// The row of this source wrote its default, because the old payload has no value there.
    case defaultValue(of: KeyPathPattern)
    /// `add` wrote it.
    case constant
    /// No row names it, so it was kept.
    case unmapped
  }

  /// The destination of a value of the old payload.
  package enum Destination: Sendable, Equatable {
    /// A row moved it to this path.
    case moved(to: EventPath, ValueRule.Outcome)
    /// A row dropped it.
    case dropped
    /// No row names it, so it was kept.
    case kept
    /// No row names it, and the table drops such values.
    case droppedUnmapped
    /// Another source of the same value gave it to this path. The two are equal there, or this one is `null`.
    case yielded(at: EventPath)
    /// Another value replaced it at this path.
    case lost(at: EventPath)
  }

  /// One value of the new payload.
  package struct Output: Sendable, Equatable {
    /// The path.
    package let path: EventPath
    /// The origin.
    package let origin: Origin
  }

  /// One value of the old payload.
  package struct Input: Sendable, Equatable {
    /// The path.
    package let path: EventPath
    /// The destination.
    package let destination: Destination
  }

  /// The old name.
  package let oldName: String
  /// The new name.
  package let newName: String
  /// The values of the new payload.
  package let outputs: [Output]
  /// The values of the old payload.
  package let inputs: [Input]
}

// MARK: - Trace recorder

/// Records a ``RemappingTrace`` while an event is remapped.
struct TraceRecorder {
  private var outputs: [RemappingTrace.Output] = []
  private var inputs: [RemappingTrace.Input] = []

  mutating func input(_ path: EventPath, _ destination: RemappingTrace.Destination) {
    inputs.append(RemappingTrace.Input(path: path, destination: destination))
  }

  mutating func output(_ path: EventPath, _ origin: RemappingTrace.Origin) {
    outputs.append(RemappingTrace.Output(path: path, origin: origin))
  }

  /// Records a value that a row or a constant wrote, or did not write because another value was kept.
  ///
  /// - Parameters:
  ///   - place: the target.
  ///   - origin: the value's origin.
  ///   - source: the path in the old payload; `nil` for constants and defaults.
  ///   - outcome: the outcome of the conversion.
  ///   - written: the result of writing.
  mutating func wrote(
    _ place: EventPath, _ origin: RemappingTrace.Origin, from source: EventPath?, _ outcome: ValueRule.Outcome,
    _ written: PayloadWriter.Written
  ) {
    switch written {
    case .refused:
      if let source { input(source, .lost(at: place)) }
    case .placed:
      output(place, origin)
      if let source { input(source, .moved(to: place, outcome)) }
    case .replaced(let depth, let spelling):
      let steps = place.steps.prefix(depth)
      lose(EventPath(spelling.map { steps.dropLast() + [.key($0)] } ?? Array(steps)), to: place)
      output(place, origin)
      if let source { input(source, .moved(to: place, outcome)) }
    }
  }

  func trace(oldName: String, newName: String) -> RemappingTrace {
    RemappingTrace(
      oldName: oldName, newName: newName, outputs: outputs.inOrder { $0.path < $1.path },
      inputs: inputs.inOrder { $0.path < $1.path })
  }

  /// Records that the value at `winner` replaced the unmapped values at and below a place.
  private mutating func lose(_ place: EventPath, to winner: EventPath) {
    outputs.removeAll { $0.origin == .unmapped && $0.path.steps.starts(with: place.steps) }
    var found = false
    inputs = inputs.map { input in
      guard input.destination == .kept, input.path.steps.starts(with: place.steps) else { return input }
      found = true
      return RemappingTrace.Input(path: input.path, destination: .lost(at: winner))
    }
    // The place is inside an unmapped container, which is kept without it.
    if !found { input(place, .lost(at: winner)) }
  }
}
