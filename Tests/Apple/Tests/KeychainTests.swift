import AlmanacSignIn
import Security
import Testing

/// Tests of the keychain storage with an in-memory keychain. Apple's treatment of attributes is not tested.
@Suite(.serialized) struct KeychainTests {
    private let storage = KeychainTokenStorage(service: "com.example.notes", name: "\(UInt64.random(in: 0 ... .max))")

    @Test func `a sign-in is kept, replaced and removed`() async throws {
        #expect(try await storage.load() == nil)
        try await storage.save(nil)
        for time in [1000.0, 2000] {
            let signIn = StoredSignIn.alice(expiresAt: time)
            try await storage.save(signIn)
            #expect(try await storage.load() == signIn)
        }
        try await storage.save(nil)
        #expect(try await storage.load() == nil)
    }

    @Test func `a keychain that refuses is a clear failure`() async throws {
        StandInKeychain.refuse(-25308)
        defer { StandInKeychain.refuse(nil) }
        let failure = SignInFailure.storage("the keychain returned the error -25308")
        await #expect(throws: failure) { try await storage.load() }
        await #expect(throws: failure) { try await storage.save(nil) }
        await #expect(throws: failure) {
            try await storage.save(.alice(expiresAt: 1000))
        }
    }
}
