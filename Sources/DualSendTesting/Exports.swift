// Golden cases are legacy events.
@_exported public import struct DualSendCore.LegacyEvent
