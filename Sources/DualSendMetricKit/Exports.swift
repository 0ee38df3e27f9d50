// Payloads hold `EventValue`s and are refused with a `DocumentError`: whoever reads one sees both.
@_exported public import DualSendCore
