import AlmanacWebhooks
import Testing

@Suite struct ReachableAddressesTests {
    @Test(arguments: [
        "1.1.1.1", "93.184.215.14", "172.15.255.255", "172.32.0.0", "100.63.255.255", "100.128.0.0",
        "2606:4700::1111", "2a00:1450:4001:80b::200e", "::ffff:1.1.1.1", "64:ff9b::101:101", "2001:200::1",
    ])
    func `public addresses are permitted`(_ text: String) throws {
        #expect(ReachableAddresses.publicOnly.permit(try #require(NetworkAddress(text)), of: "example.com"))
    }

    @Test(arguments: [
        "0.0.0.0", "0.255.0.1", "10.0.0.1", "100.64.0.1", "100.127.255.255", "127.0.0.1", "127.255.255.254",
        "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.8", "192.0.2.1", "192.88.99.1", "192.168.0.1",
        "198.18.0.1", "198.19.255.255", "198.51.100.7", "203.0.113.7", "224.0.0.1", "239.255.255.255", "240.0.0.1",
        "255.255.255.255", "::", "::1", "::7f00:1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:0:10.0.0.1",
        "64:ff9b::7f00:1", "64:ff9b::10.0.0.1", "64:ff9b:1::1.1.1.1", "64:ff9b:1:101:1:100::", "100::1", "2001::1",
        "2001:0:101:101::fefe:fefe", "2001:2::1", "2001:10::1", "2001:db8::1", "2002:7f00:1::1", "2002:101:101::1",
        "3fff::1", "4000::1", "5f00::1", "fc00::1", "fd12:3456::1", "fe80::1", "febf::1", "fec0::1", "ff02::1",
    ])
    func `special addresses are refused`(_ text: String) throws {
        #expect(!ReachableAddresses.publicOnly.permit(try #require(NetworkAddress(text)), of: "example.com"))
    }

    @Test func `allowances open only what they name`() throws {
        let rules = try ReachableAddresses(
            allow: ["10.1.2.0/24", "fd00:1::/32", "169.254.10.1", "0.0.0.0/0", "chat.example.com"])
        func permit(_ text: String, _ host: String = "other.example.com") throws -> Bool {
            rules.permit(try #require(NetworkAddress(text)), of: host)
        }
        #expect(try permit("10.1.2.3") && permit("::ffff:10.1.2.3") && permit("fd00:1::9"))
        #expect(try !permit("fd00:2::9"))
        #expect(try permit("169.254.10.1") && permit("::ffff:169.254.10.1"))
        #expect(try !permit("169.254.169.254") && !permit("169.254.169.254", "chat.example.com"))
        #expect(try permit("fd00:9::1", "chat.example.com") && !permit("fd00:9::1"))
        #expect(try permit("::1", "chat.example.com"))
        #expect(try !permit("ff02::1", "chat.example.com") && !permit("::", "chat.example.com"))
    }

    @Test func `wrong allowances are refused`() {
        #expect(throws: HookFault.unknownAllowance("10.1.2.3/24")) { try ReachableAddresses(allow: ["10.1.2.3/24"]) }
        #expect(throws: HookFault.unknownAllowance("*.example.com")) {
            try ReachableAddresses(allow: ["*.example.com"])
        }
        #expect(throws: HookFault.unknownAllowance("0x7f000001")) { try ReachableAddresses(allow: ["0x7f000001"]) }
        #expect(throws: HookFault.wideLinkLocalRange("169.254.0.0/16")) {
            try ReachableAddresses(allow: ["169.254.0.0/16"])
        }
        #expect(throws: HookFault.unknownPort(0)) { try ReachableAddresses(ports: [0]) }
    }

    @Test(arguments: [
        "", "1.2.3", "1.2.3.4.5", "01.2.3.4", "1.2.3.256", "1.2.3.-4", "::1%lo", ":1", "1:2:3:4:5:6:7",
        "1:2:3:4:5:6:7:8:9", "1::2::3", "12345::", "+1::", "1.2.3.4::", "1:2:3:4:5:6:7:8::", "g::", ":::",
    ])
    func `other texts are no addresses`(_ text: String) { #expect(NetworkAddress(text) == nil) }
}
