// Apple's Foundation: what is in swift-corelibs-foundation and its FoundationNetworking, Core Foundation, and in the other
// files of this folder what only Apple's has. `scripts/check apple` imports this module wherever a source imports
// Foundation.
@_exported public import AppleCoreFoundation
@_exported public import Foundation
@_exported public import FoundationNetworking
