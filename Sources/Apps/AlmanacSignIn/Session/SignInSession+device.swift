#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

extension SignInSession {
    /// Starts a sign-in that the user confirms in a browser on another device (RFC 8628).
    ///
    /// ```swift
    /// let request = try await session.beginOnAnotherDevice()
    /// print("Open \(request.page) on your phone, and type \(request.userCode)")
    /// try await session.complete(request)
    /// ```
    ///
    /// - Throws: ``SignInFailure/unexpectedResponse(_:)`` if the provider does not support RFC 8628.
    public func beginOnAnotherDevice() async throws(SignInFailure) -> DeviceAuthorization {
        try checkClientID()
        let metadata = try await provider.metadata()
        guard let endpoint = metadata.deviceAuthorization else {
            throw .unexpectedResponse(
                "expected a provider with a device_authorization_endpoint; it offers no sign-in on " + "another device")
        }
        let body = try await provider.deviceAuthorization(endpoint)
        return try DeviceAuthorization(body, metadata, now: options.clock.date)
    }

    /// Waits until the user has confirmed the sign-in on the other device, and stores the tokens.
    ///
    /// The session polls at the provider's interval. `slow_down` and network failures lengthen it (RFC 8628 §3.5).
    ///
    /// - Parameter limit: the longest wait; nil waits until the code expires.
    /// - Throws: ``SignInFailure/denied(_:)`` if the user refused, ``SignInFailure/timedOut`` if the code expired or
    ///   the limit was reached, ``SignInFailure/cancelled`` if the task was cancelled.
    @discardableResult public func complete(_ request: DeviceAuthorization, within limit: Duration? = nil)
        async throws(SignInFailure) -> UserAccount
    {
        let grant = [
            ("grant_type", "urn:ietf:params:oauth:grant-type:device_code"), ("device_code", request.deviceCode),
        ]
        let clock = options.clock
        let end = limit.map { clock.uptime + $0 }
        var interval = request.interval
        while true {
            let rest = end.map { min($0 - clock.uptime, interval) } ?? interval
            do { try await clock.sleep(for: rest) } catch { throw .cancelled }
            guard clock.date < request.expiresAt, end.map({ clock.uptime < $0 }) ?? true else { throw .timedOut }
            let response: TokenResponse
            do throws(SignInFailure) {
                response = try await provider.tokens(request.metadata, grant)
            } catch {
                switch error {
                case .refused(_, "authorization_pending"): continue
                case .refused(_, "slow_down"): interval += .seconds(5)
                case .refused(_, "access_denied"): throw .denied("access_denied")
                case .refused(_, "expired_token"): throw .timedOut
                case .unreachable: interval = min(interval * 2, .seconds(60))
                default: throw error
                }
                continue
            }
            return try await store(response, nonce: nil)
        }
    }
}
