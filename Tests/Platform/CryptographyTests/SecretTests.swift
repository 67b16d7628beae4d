import AlmanacCryptography
import Testing

@Suite struct SecretTests {
    @Test(
        arguments: [
            ([], [], true), ([1], [1], true), ([1, 2, 3], [1, 2, 3], true),
            ([1, 2, 3], [1, 2, 4], false), ([1, 2, 3], [0, 2, 3], false),
            ([1, 2, 3], [1, 2], false), ([], [0], false),
        ] as [([UInt8], [UInt8], Bool)])
    func `bytes are equal only when all are`(left: [UInt8], right: [UInt8], areEqual: Bool) {
        #expect(constantTimeEquals(left, right) == areEqual)
        #expect(constantTimeEquals(right, left) == areEqual)
    }

    @Test(arguments: [0, 1, 7, 8, 9, 32, 100]) func `as many random bytes as asked for`(count: Int) {
        #expect(RandomBytes.make(count: count).count == count)
    }

    @Test func `random bytes differ each time and take every value`() {
        #expect(RandomBytes.make(count: 16) != RandomBytes.make(count: 16))
        // The probability that one of the 256 values is missing from 16,384 random bytes is 10^-25.
        #expect(Set(RandomBytes.make(count: 16_384)).count == 256)
    }

    @Test func `hexadecimal digits are lower case and two per byte`() {
        #expect(Hex.encode([]) == "")
        #expect(Hex.encode([0x00, 0x0F, 0xA0, 0xFF]) == "000fa0ff")
    }
}
