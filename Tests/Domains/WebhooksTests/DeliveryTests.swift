import AlmanacWebhooks
import Testing

@Suite struct DeliveryTests {
    /// The example of the Standard Webhooks libraries.
    @Test func `the signature is that of other libraries`() throws {
        let secret = try #require(WebhookSecret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"))
        let signature = WebhookSecret.signature(
            of: Array(#"{"test": 2432232314}"#.utf8), id: "msg_p5jXN8AQM9LWM0D4loKWxJek", at: 1_614_265_330,
            by: [secret])
        #expect(signature == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
    }

    @Test func `both secrets sign during a rotation`() throws {
        let secrets = [WebhookSecret(), WebhookSecret()]
        let both = WebhookSecret.signature(of: [1], id: "a", at: 1, by: secrets)
        let each = secrets.map { WebhookSecret.signature(of: [1], id: "a", at: 1, by: [$0]) }
        #expect(both == each.joined(separator: " ") && each[0] != each[1])
    }

    @Test func `secrets have one text and never appear in logs`() throws {
        let secret = WebhookSecret()
        #expect(WebhookSecret(secret.text) == secret)
        #expect("\(secret)" == "(secret)" && "\(String(reflecting: secret))" == "(secret)")
        for wrong in ["", "whsec_", "whsec_AAAA", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", secret.text + "="] {
            #expect(WebhookSecret(wrong) == nil)
        }
    }

    @Test func `attempts follow the schedule`() {
        let delays = (1...9).map { DeliveryOutcome(status: 500, attempts: $0, jitter: 0) }
        #expect(delays == [5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400].map { .retry(seconds: $0) })
        #expect(DeliveryOutcome(status: nil, attempts: 1, jitter: 1) == .retry(seconds: 6))
        #expect(DeliveryOutcome(status: nil, attempts: 10, jitter: 0) == .disable(.exhausted))
    }

    @Test func `answers decide`() {
        #expect(DeliveryOutcome(status: 204, attempts: 10, jitter: 0) == .delivered)
        #expect(DeliveryOutcome(status: 302, attempts: 1, jitter: 0) == .retry(seconds: 5))
        #expect(DeliveryOutcome(status: 410, attempts: 1, jitter: 0) == .disable(.gone))
        #expect(DeliveryOutcome(status: 429, attempts: 1, retryAfter: 60, jitter: 0) == .retry(seconds: 60))
        #expect(DeliveryOutcome(status: 429, attempts: 2, retryAfter: 60, jitter: 0) == .retry(seconds: 300))
        #expect(DeliveryOutcome(status: 503, attempts: 1, retryAfter: .max, jitter: 0) == .retry(seconds: 86400))
        #expect(DeliveryOutcome(status: 503, attempts: 1, retryAfter: -9, jitter: 0) == .retry(seconds: 5))
    }
}
