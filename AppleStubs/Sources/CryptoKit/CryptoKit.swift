// https://developer.apple.com/documentation/cryptokit
// swift-crypto has the same API as CryptoKit, so the stub is that package.
@_exported import Crypto
