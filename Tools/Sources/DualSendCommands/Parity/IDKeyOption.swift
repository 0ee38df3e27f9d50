/// What `--id-key` says of itself wherever it is an option.
package enum IDKeyOption {
  package static let help =
    "The parameter of the old event that carries its id. By default the id is `eventId` beside `name`, outside of the"
    + " parameters."
}
