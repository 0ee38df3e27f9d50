import Testing

/// Runs the tests in this folder, as SwiftPM's own program does: `scripts/check apple` links it without SwiftPM.
@main
enum Main {
  static func main() async {
    await Testing.__swiftPMEntryPoint() as Never
  }
}
