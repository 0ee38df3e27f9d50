import DualSendCore

/// An event with its places, for later checks.
struct PlacedEvent {
  /// A place in a file.
  struct Place {
    var file: String?
    var position: DocumentDiagnostic.Position?
    var path = EventPath()
  }

  let event: EventSpecification.Event
  let place: Place
  /// The places of the parameters, in their order.
  let parameterPlaces: [Place]

  init(_ event: EventSpecification.Event, at place: Place, parameters: [Place]) {
    self.event = event
    self.place = place
    parameterPlaces = parameters
  }

  /// An event made in code, which has a path and no file.
  init(_ event: EventSpecification.Event) {
    let path = EventPath([.key(event.name)])
    self.init(
      event, at: Place(path: path), parameters: event.parameters.map { Place(path: path.appending($0.key)) })
  }

  func place(ofParameter index: Int) -> Place {
    parameterPlaces.indices.contains(index) ? parameterPlaces[index] : place
  }
}

extension DocumentDiagnostic {
  /// Creates an error at a place.
  init(
    _ code: Code, _ message: String, at place: PlacedEvent.Place, notes: [String] = [], help: String? = nil
  ) {
    self.init(
      .error, code, message, file: place.file, position: place.position, path: place.path, notes: notes, help: help)
  }
}
