import Testing

@testable import DualSendTesting
