package import ArgumentParser

/// The verbs that read an app's sources.
package enum SourceVerbs {
  package static let all: [any ParsableCommand.Type] = [InventoryVerb.self]
}
