/// The version of the command, which `--version` and reports name: the first heading of CHANGELOG.md.
package enum ToolVersion {
  package static let text = "1.0.0-dev"
}
