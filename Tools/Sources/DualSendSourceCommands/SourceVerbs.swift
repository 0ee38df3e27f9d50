package import ArgumentParser

/// The verbs that read and change an app's sources.
package enum SourceVerbs {
  package static let all: [any ParsableCommand.Type] = [InventoryVerb.self, RewriteVerb.self]
}
