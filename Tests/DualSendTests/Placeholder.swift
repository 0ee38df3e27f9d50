import Testing

@testable import DualSend
