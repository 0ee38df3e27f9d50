// The names of `DualSendCore` that `import DualSendMetricKit` makes visible.
@_exported public import enum DualSendCore.EventValue
@_exported public import struct DualSendCore.TimeSource
