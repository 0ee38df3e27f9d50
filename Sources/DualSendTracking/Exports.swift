// The names of `DualSendCore` that `import DualSendTracking` makes visible.
@_exported public import struct DualSendCore.EventID
@_exported public import enum DualSendCore.EventValue
@_exported public import protocol DualSendCore.HTTPTransport
@_exported public import enum DualSendCore.HTTPTransportError
@_exported public import struct DualSendCore.HTTPTransportRequest
@_exported public import struct DualSendCore.HTTPTransportResponse
@_exported public import struct DualSendCore.RetryBackoff
@_exported public import struct DualSendCore.TimeSource
@_exported public import struct DualSendCore.TrackingEvent
@_exported public import class DualSendCore.URLSessionTransport
