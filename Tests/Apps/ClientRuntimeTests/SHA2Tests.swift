import AlmanacTestSupport
import Testing

@testable import AlmanacClientRuntime

@Suite struct SHA2Tests {
    /// The examples of FIPS 180-4 and the empty message.
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
    ])
    func `a message has the hash of the standard`(message: String, hash: String) {
        #expect(SHA2.digest(Array(message.utf8)).hexadecimal == hash)
    }

    @Test func `a message in parts has the hash of the whole`() {
        for count in 0..<200 {
            let message = (0..<count).map { UInt8($0) }
            var hash = SHA2()
            var start = 0
            for part in [1, 62, 1, 64, 70] where start < count {
                hash.add(Array(message[start..<min(count, start + part)]))
                start += part
            }
            hash.add(Array(message.dropFirst(start)))
            #expect(hash.digest == SHA2.digest(message))
        }
    }
}
