import AlmanacTestSupport
import AlmanacTimestamps
import Testing

@testable import AlmanacOpenIDConnect

@Suite struct VerifiedTokensTests {
    private func token(_ subject: String) -> VerifiedToken {
        VerifiedToken(issuer: "i", subject: subject, name: nil, scopes: [], expiresAt: Timestamp(milliseconds: 0))
    }

    @Test func `there are never more than fit`() {
        let tokens = VerifiedTokens(capacity: 100)
        for number in 0..<10_000 {
            tokens.insert(token("\(number)"), [UInt8(number >> 8), UInt8(number & 255)], generation: 0)
            #expect(tokens.count <= 100)
        }
        #expect(tokens.count >= 50)
    }

    @Test func `a token that is asked for again and again stays`() {
        let tokens = VerifiedTokens(capacity: 100)
        tokens.insert(token("alice"), [1], generation: 0)
        for number in 0..<1000 {
            tokens.insert(token("\(number)"), [2, UInt8(number >> 8), UInt8(number & 255)], generation: 0)
            #expect(tokens.find([1], generation: 0)?.subject == "alice")
        }
        #expect(tokens.find([2, 0, 0], generation: 0) == nil)
    }

    @Test func `a new generation of keys forgets all, and what was checked before it`() {
        let tokens = VerifiedTokens()
        tokens.insert(token("alice"), [1], generation: 0)
        #expect(tokens.find([1], generation: 1) == nil)
        tokens.insert(token("bob"), [2], generation: 1)
        #expect(tokens.find([1], generation: 1) == nil)
        tokens.insert(token("carol"), [3], generation: 0)
        #expect(tokens.find([3], generation: 1) == nil)
        #expect(tokens.find([3], generation: 0) == nil)
        #expect(tokens.find([2], generation: 1)?.subject == "bob")
        #expect(tokens.count == 1)
    }

    @Test func `a removed token is gone`() {
        let tokens = VerifiedTokens(capacity: 2)
        tokens.insert(token("alice"), [1], generation: 0)
        tokens.insert(token("bob"), [2], generation: 0)
        tokens.remove([1])
        tokens.remove([2])
        #expect(tokens.count == 0)
    }
}
