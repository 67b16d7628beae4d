import AlmanacCryptography
import AlmanacJSON
import AlmanacPOSIX
import AlmanacTestSupport
import Synchronization
import Testing

@testable import AlmanacOpenIDConnect

@Suite struct KeyStoreTests {
    /// A source that optionally waits for `release` and then returns its current content.
    private final class Source: Sendable {
        let loads = Monitor(0)
        private let content: Mutex<[UInt8]?>
        private let cue: Monitor<Int>?

        /// - Parameters:
        ///   - content: a key set, or nil while the provider is unreachable.
        ///   - waits: `true` if every load needs a call of `release`.
        init(_ content: [UInt8]?, waits: Bool = false) {
            self.content = Mutex(content)
            cue = waits ? Monitor(0) : nil
        }

        func set(_ content: [UInt8]?) { self.content.withLock { $0 = content } }

        func release() { cue?.update { $0 += 1 } }

        var source: KeySource {
            KeySource { [self] () throws(ProviderFailure) in
                let number = loads.update { loads in
                    loads += 1
                    return loads
                }
                _ = cue?.wait(upTo: .seconds(60)) { $0 >= number ? () : nil }
                guard let content = content.withLock(\.self) else { throw ProviderFailure("away") }
                return .init(keys: try KeySet(parsing: content), maxAge: nil)
            }
        }
    }

    private func header(_ keyID: String = "ed25519") throws -> TokenHeader {
        try TokenHeader(JSONObject([(name: "alg", value: "EdDSA"), (name: "kid", value: .string(keyID))]))
    }

    private func rotated() throws -> [UInt8] {
        TestKeys.document([TestKeys.jwk(try TestKeys.ed25519.get(), [("kid", "new")])])
    }

    @Test func `nothing is fetched before a key is needed, and then once`() throws {
        let source = Source(try TestKeys.published)
        let store = KeyStore(source.source)
        #expect(store.generation == 0)
        #expect(source.loads.read { $0 } == 0)
        for _ in 0..<100 { _ = try store.key(for: header()) }
        #expect(source.loads.read { $0 } == 1)
    }

    @Test func `a rotated key is known 12 s later, whatever strangers send`() throws {
        let clock = TestClock()
        let source = Source(try TestKeys.published)
        let store = KeyStore(source.source, clock: clock.server)
        _ = try store.key(for: header())
        clock.advance(by: .seconds(12))
        for number in 0..<200 {
            #expect(throws: TokenFailure.unknownKey) { try store.key(for: header("unknown \(number)")) }
        }
        #expect(source.loads.read { $0 } == 2)
        source.set(try rotated())
        #expect(throws: TokenFailure.unknownKey) { try store.key(for: header("new")) }
        clock.advance(by: .seconds(12))
        #expect(try store.key(for: header("new")).kind == .ed25519)
        #expect(source.loads.read { $0 } == 3)
    }

    @Test func `a rotated key is known at once for what the issuer itself hands over, unless it was away`() throws {
        let clock = TestClock()
        let source = Source(try TestKeys.published)
        let store = KeyStore(source.source, clock: clock.server)
        _ = try store.key(for: header(), isFromIssuer: true)
        source.set(try rotated())
        #expect(throws: TokenFailure.unknownKey) { try store.key(for: header("new")) }
        #expect(try store.key(for: header("new"), isFromIssuer: true).kind == .ed25519)
        #expect(try store.key(for: header("new"), isFromIssuer: true).kind == .ed25519)
        #expect(source.loads.read { $0 } == 2)
        source.set(nil)
        for _ in 0..<3 {
            #expect(throws: TokenFailure.keysUnavailable) { try store.key(for: header("newer"), isFromIssuer: true) }
        }
        #expect(source.loads.read { $0 } == 3)
    }

    @Test func `a new key is known with the first token that names it`() throws {
        let clock = TestClock()
        let source = Source(try TestKeys.published)
        let store = KeyStore(source.source, clock: clock.server)
        _ = try store.key(for: header())
        clock.advance(by: .seconds(12))
        source.set(try rotated())
        #expect(try store.key(for: header("new")).kind == .ed25519)
        #expect(throws: TokenFailure.unknownKey) { try store.key(for: header()) }
    }

    @Test func `all who need the same key wait for one fetch`() throws {
        let source = Source(try TestKeys.published, waits: true)
        let store = KeyStore(source.source)
        let wanted = try header()
        let results = Monitor<[Bool]>([])
        for _ in 0..<8 {
            _ = AlmanacPOSIX.Thread(name: "wants a key") {
                let found = (try? store.key(for: wanted)) != nil
                results.update { $0.append(found) }
            }
        }
        #expect(source.loads.wait(upTo: .seconds(10)) { $0 == 1 ? () : nil } != nil)
        #expect(results.read { $0.isEmpty })
        source.release()
        #expect(results.wait(upTo: .seconds(10)) { $0.count == 8 ? $0 : nil } == [Bool](repeating: true, count: 8))
        #expect(source.loads.read { $0 } == 1)
    }

    @Test func `only so many wait for a provider that hangs`() throws {
        let source = Source(try TestKeys.published, waits: true)
        let store = KeyStore(source.source)
        let wanted = try header()
        let refused = Monitor(0)
        let found = Monitor(0)
        for _ in 0..<30 {
            _ = AlmanacPOSIX.Thread(name: "wants a key") {
                do throws(TokenFailure) {
                    _ = try store.key(for: wanted)
                    found.update { $0 += 1 }
                } catch {
                    if error == .keysUnavailable { refused.update { $0 += 1 } }
                }
            }
        }
        #expect(refused.wait(upTo: .seconds(10)) { $0 == 22 ? () : nil } != nil)
        #expect(found.read { $0 } == 0)
        source.release()
        #expect(found.wait(upTo: .seconds(10)) { $0 == 8 ? () : nil } != nil)
    }

    @Test func `stores share the threads that may wait`() throws {
        let (one, other) = (Source(try TestKeys.published, waits: true), Source(try TestKeys.published, waits: true))
        let waits = WaitLimit(1)
        let (first, second) = (KeyStore(one.source, waits: waits), KeyStore(other.source, waits: waits))
        let wanted = try header()
        let found = Monitor(false)
        _ = AlmanacPOSIX.Thread(name: "wants a key") {
            let isFound = (try? first.key(for: wanted)) != nil
            found.update { $0 = isFound }
        }
        #expect(
            eventually {
                !waits.tryEnter()
                    || {
                        waits.leave(); return false
                    }()
            })
        #expect(throws: TokenFailure.keysUnavailable) { try second.key(for: wanted) }
        one.release()
        #expect(found.wait(upTo: .seconds(10)) { $0 ? () : nil } != nil)
        other.release()
        #expect(eventually { (try? second.key(for: wanted)) != nil })
    }

    @Test func `while an unknown key is fetched the known ones are there`() throws {
        let clock = TestClock()
        let source = Source(try TestKeys.published, waits: true)
        let store = KeyStore(source.source, clock: clock.server)
        source.release()
        _ = try store.key(for: header())
        clock.advance(by: .seconds(12))
        let unknown = try header("unknown")
        let outcome = Monitor<TokenFailure?>(nil)
        _ = AlmanacPOSIX.Thread(name: "wants a key") {
            do throws(TokenFailure) { _ = try store.key(for: unknown) } catch { outcome.update { $0 = error } }
        }
        #expect(source.loads.wait(upTo: .seconds(10)) { $0 == 2 ? () : nil } != nil)
        _ = try store.key(for: header())
        #expect(outcome.read { $0 } == nil)
        source.release()
        #expect(outcome.wait(upTo: .seconds(10)) { $0 } == .unknownKey)
    }

    @Test func `old keys are used while they are fetched anew`() throws {
        let clock = TestClock()
        let source = Source(try TestKeys.published, waits: true)
        let store = KeyStore(source.source, clock: clock.server)
        source.release()
        _ = try store.key(for: header())
        clock.advance(by: .seconds(3600))
        source.set(try rotated())
        _ = try store.key(for: header())
        #expect(store.generation == 0)
        #expect(source.loads.wait(upTo: .seconds(10)) { $0 == 2 ? () : nil } != nil)
        source.release()
        #expect(eventually { store.generation == 1 })
        source.release()
        #expect(throws: TokenFailure.unknownKey) { try store.key(for: header()) }
    }

    @Test func `keys are kept while the provider is away, and every failure is reported`() throws {
        let clock = TestClock()
        let source = Source(try TestKeys.published)
        let reports = Monitor(0)
        let store = KeyStore(source.source, clock: clock.server, report: { _ in reports.update { $0 += 1 } })
        _ = try store.key(for: header())
        source.set(nil)
        for day in 1...10 {
            clock.advance(by: .seconds(86_400))
            _ = try store.key(for: header())
            #expect(reports.wait(upTo: .seconds(10)) { $0 == day ? () : nil } != nil)
        }
        #expect(throws: TokenFailure.keysUnavailable) { try store.key(for: header("unknown")) }
        source.set(try rotated())
        clock.advance(by: .seconds(12))
        #expect(try store.key(for: header("new")).kind == .ed25519)
    }

    @Test func `a provider that was never there is tried again`() throws {
        let clock = TestClock()
        let source = Source(nil)
        let store = KeyStore(source.source, clock: clock.server)
        for _ in 0..<20 { #expect(throws: TokenFailure.keysUnavailable) { try store.key(for: header()) } }
        #expect(source.loads.read { $0 } == 1)
        source.set(try TestKeys.published)
        clock.advance(by: .seconds(12))
        _ = try store.key(for: header())
    }

    @Test func `a token that was found valid is refused once its key is withdrawn`() throws {
        let clock = TestClock()
        let source = Source(try TestKeys.published)
        let verifier = TokenVerifier(
            issuer: TestToken.issuer, audience: TestToken.audience,
            keys: KeyStore(source.source, clock: clock.server), clock: .wall { TestToken.now })
        let token = try TestToken().signed()
        #expect(try verifier.verify(token).subject == "alice")
        source.set(try rotated())
        #expect(try verifier.verify(token).subject == "alice")
        clock.advance(by: .seconds(3600))
        #expect(eventually { (try? verifier.verify(token)) == nil })
        #expect(throws: TokenFailure.unknownKey) { try verifier.verify(token) }
    }
}
