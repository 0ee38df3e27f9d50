// The document of a table, for commands and golden files.
@_exported public import DualSendTables
// Golden cases are legacy events.
@_exported public import struct DualSendCore.LegacyEvent
