import AlmanacTestSupport
import Testing

@testable import AlmanacOpenIDConnect

/// Tests when keys are fetched, without a clock, a lock or a network.
@Suite struct KeyCacheTests {
    private let start = ContinuousClock.now

    private func loaded(_ keys: [VerificationKey] = [], maxAge: Duration? = nil) -> Result<
        KeySource.Loaded, ProviderFailure
    > { .success(.init(keys: KeySet(keys), maxAge: maxAge)) }

    private let failed = Result<KeySource.Loaded, ProviderFailure>.failure(ProviderFailure("away"))

    @Test func `one fetch at a time`() {
        var cache = KeyCache()
        let later = start + .seconds(12)
        var isStarted = [cache.start(at: start), cache.start(at: later)]
        cache.end(loaded(), at: later)
        isStarted.append(cache.start(at: later))
        #expect(isStarted == [true, false, true])
    }

    @Test func `a fetch begins 12 s after the one before, however often one is wanted`() {
        var cache = KeyCache()
        var starts: [Int] = []
        for second in 0..<600 {
            let now = start + .seconds(second)
            while cache.start(at: now) {
                starts.append(second)
                cache.end(loaded(), at: now)
            }
        }
        #expect(starts == Array(stride(from: 0, to: 600, by: 12)))
    }

    @Test func `attempts to reach a provider that is away are spread over the minute`() {
        var cache = KeyCache()
        var starts: [Int] = []
        for second in 0..<120 {
            let now = start + .seconds(second)
            if cache.start(at: now) {
                starts.append(second)
                cache.end(failed, at: now)
            }
        }
        #expect(starts == [0, 12, 24, 36, 48, 60, 72, 84, 96, 108])
    }

    @Test(
        arguments: [
            (nil, 3600), (.seconds(-5), 300), (.zero, 300), (.seconds(299), 300), (.seconds(301), 301),
            (.seconds(86_400), 86_400), (.seconds(86_401), 86_400), (.seconds(UInt32.max), 86_400),
        ] as [(Duration?, Int)])
    func `keys are good for as long as their issuer says, within bounds`(maxAge: Duration?, seconds: Int) {
        var cache = KeyCache()
        #expect(!cache.isStale(at: start))
        _ = cache.start(at: start)
        cache.end(loaded(maxAge: maxAge), at: start)
        #expect(!cache.isStale(at: start + .seconds(seconds) - .milliseconds(1)))
        #expect(cache.isStale(at: start + .seconds(seconds)))
    }

    @Test func `a fetch that fails leaves the keys there and stale`() throws {
        var cache = KeyCache()
        _ = cache.start(at: start)
        cache.end(loaded(), at: start)
        let later = start + .seconds(4000)
        let isStarted = cache.start(at: later)
        #expect(isStarted)
        cache.end(failed, at: later)
        #expect(cache.keys != nil)
        #expect(cache.isStale(at: later))
        #expect(cache.generation == 0)
    }

    @Test func `the generation grows when a key is withdrawn, not when one is added`() throws {
        let (one, two) = (
            try #require(VerificationKey(TestKeys.jwk(try TestKeys.p256.get()))),
            try #require(VerificationKey(TestKeys.jwk(try TestKeys.ed25519.get())))
        )
        var cache = KeyCache()
        var generations: [Int] = []
        for keys in [[one], [one, two], [two, one], [two], [two], [one]] {
            _ = cache.start(at: start)
            cache.end(loaded(keys), at: start)
            generations.append(cache.generation)
        }
        #expect(generations == [0, 0, 0, 1, 1, 2])
    }
}
