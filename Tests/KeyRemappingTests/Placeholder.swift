import Testing

@testable import KeyRemapping
