// A reader starts at `DualSendTracker`; an app that migrates imports this module and nothing else.
@_exported public import DualSendCore
@_exported public import DualSendRemapping
@_exported public import DualSendRollout
@_exported public import DualSendTracking
