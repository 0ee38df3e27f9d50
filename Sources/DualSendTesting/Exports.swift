// A golden case is an old event.
@_exported public import struct DualSendCore.LegacyEvent
