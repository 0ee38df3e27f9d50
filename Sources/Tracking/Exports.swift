// An app that uses the tracker alone imports this module and nothing else.
@_exported public import EventModel
@_exported public import Platform
