import Testing

@testable import DualSendCommands
