public import Foundation

// The types of Core Foundation that Apple's compilers bridge to Foundation's. swift-corelibs-foundation's classes stand in
// for them: `as` bridges those on Linux too.

// https://developer.apple.com/documentation/corefoundation/cftyperef
public typealias CFTypeRef = AnyObject
// https://developer.apple.com/documentation/corefoundation/cfstring
public typealias CFString = NSString
// https://developer.apple.com/documentation/corefoundation/cfdictionary
public typealias CFDictionary = NSDictionary
// https://developer.apple.com/documentation/kernel/osstatus
public typealias OSStatus = Int32

extension FileManager {
  /// swift-corelibs-foundation's `setAttributes`, which AppleFoundation has another of.
  public func setAttributesOfLinux(_ attributes: [FileAttributeKey: Any], ofItemAtPath path: String) throws {
    try setAttributes(attributes, ofItemAtPath: path)
  }
}
