/// The version of the command, which `--version` and reports name.
package enum ToolVersion {
  package static let text = "1.0.0"
}
