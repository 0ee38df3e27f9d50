import Testing

@testable import Collector
