import AlmanacEnvironments
import AlmanacTestSupport
import AlmanacWebhooks
import Testing

@Suite struct HookSettingsTests {
    private func load(_ members: String) throws -> ReachableAddresses {
        let folder = try TemporaryFolder()
        let json = #"{"a": {"database": "dbname=a"\#(members)}}"#
        return try EnvironmentsFile.load(try folder.write("environments.json", json.utf8), for: .worker)[0].hooks
    }

    @Test func `hooks reach public addresses, and the ones that the file allows`() throws {
        #expect(try load("") == .publicOnly && load(#", "hooks": {}"#) == .publicOnly)
        let rules = try load(
            #", "hooks": {"allow": ["10.1.2.0/24", "chat.example.com"], "http": true, "ports": [8065]}"#)
        #expect(try HookURL("http://10.1.2.3:8065/", for: rules).host == "10.1.2.3")
        #expect(rules.permit(try #require(NetworkAddress("192.168.0.1")), of: "chat.example.com"))
    }

    @Test(arguments: [
        (#"{"allow": ["10.1.2.3/24"]}"#, "'10.1.2.3/24' in 'allow' is unknown"),
        (#"{"allow": "10.1.2.0/24"}"#, "'allow' must be an array of texts"),
        (#"{"http": 1}"#, "'http' must be true or false"), (#"{"ports": [8065.5]}"#, "whole numbers"),
        (#"{"ports": [70000]}"#, "70000 in 'ports' is no port"), (#"{"port": [1]}"#, "unknown member 'port'"),
    ])
    func `a wrong member is refused with its reason`(_ hooks: String, _ reason: String) {
        do {
            _ = try load(#", "hooks": \#(hooks)"#)
            Issue.record("\(hooks) was accepted")
        } catch { #expect("\(error)".contains("in 'a.hooks': ") && "\(error)".contains(reason)) }
    }
}
