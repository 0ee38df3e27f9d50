// What an adopter of `DualSendMetricKit` sees of `DualSendCore`: the values in events, and the clock.
@_exported public import enum DualSendCore.EventValue
@_exported public import struct DualSendCore.TimeSource
