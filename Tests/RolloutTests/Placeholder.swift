import Testing

@testable import Rollout
