// An app that uses the tracker alone imports this module and nothing else.
@_exported public import DualSendCore
