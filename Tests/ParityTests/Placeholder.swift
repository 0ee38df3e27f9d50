import Testing

@testable import Parity
