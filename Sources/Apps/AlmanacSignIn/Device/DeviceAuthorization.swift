#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A sign-in that the user confirms in a browser on another device (RFC 8628 §3.2). Its description holds no secret.
public struct DeviceAuthorization: Sendable {
    /// The code that the user types on the other device.
    public let userCode: String
    /// The page to open on the other device.
    public let page: URL
    /// The page with the code in its address, for a link or a QR code; nil if the provider supplies none.
    public let completePage: URL?
    /// The time when the code expires.
    public let expiresAt: Date
    let metadata: ProviderMetadata
    /// The secret code, which only the token endpoint receives.
    let deviceCode: String
    /// The time between two requests to the token endpoint.
    let interval: Duration

    /// The default interval if the provider sends none (RFC 8628 §3.2), in seconds.
    private static let defaultInterval = 5.0
    private static let maxDeviceCodeBytes = 4096

    init(_ body: [UInt8], _ metadata: ProviderMetadata, now: Date) throws(SignInFailure) {
        guard let fields = try? JSONDecoder().decode(Fields.self, from: Data(body)) else {
            throw .unexpectedResponse(
                "expected device_code, user_code, verification_uri and expires_in from the device endpoint")
        }
        guard (1...100).contains(fields.user_code.unicodeScalars.count),
            fields.user_code.unicodeScalars.allSatisfy({ (0x20...0x7E).contains($0.value) })
        else { throw .unexpectedResponse("expected a user_code of visible ASCII, at most 100 characters long") }
        guard (1...Self.maxDeviceCodeBytes).contains(fields.device_code.utf8.count) else {
            throw .unexpectedResponse("expected a device_code of at most \(Self.maxDeviceCodeBytes) bytes")
        }
        let interval = fields.interval ?? Self.defaultInterval
        guard fields.expires_in > 0, fields.expires_in < 1e7, interval > 0, interval < 3600 else {
            throw .unexpectedResponse("expected expires_in and interval in seconds")
        }
        page = try metadata.address(fields.verification_uri, "verification_uri")
        completePage =
            if let text = fields.verification_uri_complete {
                try metadata.address(text, "verification_uri_complete")
            } else { nil }
        userCode = fields.user_code
        deviceCode = fields.device_code
        expiresAt = now.addingTimeInterval(fields.expires_in)
        self.interval = .seconds(interval)
        self.metadata = metadata
    }

    private struct Fields: Decodable {
        let device_code: String
        let user_code: String
        let verification_uri: String
        let verification_uri_complete: String?
        let expires_in: Double
        let interval: Double?
    }
}

extension DeviceAuthorization: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "a sign-in at \(metadata.issuer) with the code \(userCode)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
