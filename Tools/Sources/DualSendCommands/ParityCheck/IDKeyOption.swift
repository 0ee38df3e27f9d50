/// What `--id-key` says of itself wherever it is an option.
enum IDKeyOption {
  static let help =
    "The parameter of the old event that carries its id. By default the id is `eventId` beside `name`, outside of the"
    + " parameters."
}
