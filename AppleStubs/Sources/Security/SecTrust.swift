public import AppleCoreFoundation
public import Foundation

// https://developer.apple.com/documentation/security/seccertificate
public final class SecCertificate: NSObject {
  let der: Data

  public init(der: [UInt8]) { self.der = Data(der) }
}

// https://developer.apple.com/documentation/security/seccertificatecopydata(_:)
public func SecCertificateCopyData(_ certificate: SecCertificate) -> CFData {
  NSData(data: certificate.der)
}

// https://developer.apple.com/documentation/security/sectrust
public final class SecTrust: NSObject {
  let chain: [SecCertificate]
  let isTrusted: Bool

  public init(chain: [SecCertificate], isTrusted: Bool) {
    self.chain = chain
    self.isTrusted = isTrusted
  }
}

// https://developer.apple.com/documentation/security/sectrustevaluatewitherror(_:_:) (iOS 12, macOS 10.14)
public func SecTrustEvaluateWithError(_ trust: SecTrust, _ error: UnsafeMutablePointer<CFError?>?) -> Bool {
  trust.isTrusted
}

// https://developer.apple.com/documentation/security/sectrustcopycertificatechain(_:) (iOS 15, macOS 12)
public func SecTrustCopyCertificateChain(_ trust: SecTrust) -> CFArray? {
  NSArray(array: trust.chain)
}
