import Testing

@testable import EventModel
