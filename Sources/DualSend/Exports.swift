// The names that `import DualSend` makes visible, next to this module's own: at most 45 types, two of them only on
// Apple platforms. `scripts/check adopter --list` prints them. Other names of these modules are public for the
// package's tools; an app that needs them imports the module.

@_exported public import struct DualSendCore.DocumentError
@_exported public import enum DualSendCore.EventValue
@_exported public import protocol DualSendCore.HTTPTransport
@_exported public import enum DualSendCore.HTTPTransportError
@_exported public import struct DualSendCore.HTTPTransportRequest
@_exported public import struct DualSendCore.HTTPTransportResponse
@_exported public import struct DualSendCore.TrackingEvent
@_exported public import class DualSendCore.URLSessionTransport
@_exported public import struct DualSendRemapping.RemappingTable
@_exported public import struct DualSendRollout.BreakerOpening
@_exported public import struct DualSendRollout.ByteStorage
@_exported public import struct DualSendRollout.DecisionContext
@_exported public import class DualSendRollout.MutableRollout
@_exported public import class DualSendRollout.RemoteConfigFetcher
@_exported public import struct DualSendRollout.RolloutDocument
@_exported public import struct DualSendRollout.RolloutPercentage
@_exported public import struct DualSendRollout.RolloutPublicKey
@_exported public import struct DualSendRollout.RolloutSignatureVerifier
@_exported public import struct DualSendRollout.RolloutSnapshot
@_exported public import protocol DualSendRollout.RolloutSource
@_exported public import struct DualSendRollout.SinkDecision
@_exported public import class DualSendRollout.StoredID
@_exported public import struct DualSendTracking.EventCall
@_exported public import protocol DualSendTracking.EventLogging
@_exported public import protocol DualSendTracking.EventReceiver
@_exported public import enum DualSendTracking.EventReceiverFailure
@_exported public import struct DualSendTracking.Mutation
@_exported public import struct DualSendTracking.ScreenView
@_exported public import struct DualSendTracking.Sink
@_exported public import protocol DualSendTracking.SinkContainer
@_exported public import class DualSendTracking.SinkGroup
@_exported public import struct DualSendTracking.Tracked
@_exported public import class DualSendTracking.Tracker
@_exported public import struct DualSendTracking.TrackerConfiguration
@_exported public import struct DualSendTracking.TrackingData
@_exported public import struct DualSendTracking.TrackingEndpoint
@_exported public import struct DualSendTracking.TrackingLedger
@_exported public import protocol DualSendTracking.TypedEvent
@_exported public import protocol DualSendTracking.WireFormat
