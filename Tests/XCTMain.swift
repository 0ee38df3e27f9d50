// The entry point of the tests on Linux. With it, SwiftPM does not look for XCTest's tests, of which there are none, in an index
// of all sources; the index costs an eighth of a build.

import Foundation
import Testing

// `swift test` starts the program for each testing library.
guard CommandLine.arguments.contains("swift-testing") else { exit(0) }
await Testing.__swiftPMEntryPoint() as Never
