// A reader starts at `DualSendTracker`; an app that migrates imports this module and nothing else.
@_exported public import EventModel
@_exported public import KeyRemapping
@_exported public import Platform
@_exported public import Rollout
@_exported public import Tracking
