extension SplitScheme {
    /// The member that distinguishes the parameters of a scheme from a rule.
    static let nameMember = "scheme"

    /// Reads the parameters of a scheme, such as `{"scheme": "launchdarkly", "key": "new-ui", "salt": "8d6f"}`.
    init(_ parameters: FlagObject) throws(Fault) {
        var reader = ParameterReader(parameters)
        let name = try reader.text(Self.nameMember)
        switch true {
        case name.hasBytes(of: "unleash"): self = .unleash(groupId: try reader.text("groupId"))
        case name.hasBytes(of: "unleash-variants"):
            self = .unleashVariants(groupId: try reader.text("groupId"), totalWeight: try reader.count("totalWeight"))
        case name.hasBytes(of: "launchdarkly"):
            if parameters["seed"] == nil {
                self = .launchDarkly(prefix: try reader.text("key") + "." + reader.text("salt") + ".")
            } else {
                self = .launchDarkly(prefix: try reader.text("seed") + ".")
            }
        case name.hasBytes(of: "firebase"):
            let seed = parameters["seed"] == nil ? "" : try reader.text("seed")
            self = .firebase(prefix: seed.utf8.isEmpty ? "" : seed + ".")
        case name.hasBytes(of: "flagsmith"): self = .flagsmith(key: try reader.text("key"))
        case name.hasBytes(of: "growthbook"):
            let version = parameters["hashVersion"] == nil ? 1 : try reader.count("hashVersion")
            guard version <= 2 else { throw Fault(message: "\"hashVersion\" must be 1 or 2") }
            self = .growthBook(seed: try reader.text("seed"), isVersion2: version == 2)
        case name.hasBytes(of: "configcat"): self = .configCat(key: try reader.text("key"))
        case name.hasBytes(of: "goff"):
            self = .goFeatureFlag(
                flagName: try reader.text("flagName"), maxPercentage: try reader.count("maxPercentage"))
        case name.hasBytes(of: "flipt"): self = .flipt(flagKey: try reader.text("flagKey"))
        case name.hasBytes(of: "flipt-threshold"): self = .fliptThreshold(flagKey: try reader.text("flagKey"))
        default:
            throw Fault(
                message: "unknown scheme; expected unleash, unleash-variants, launchdarkly, firebase, flagsmith, "
                    + "growthbook, configcat, goff, flipt or flipt-threshold")
        }
        if let unknown = reader.unread { throw Fault(message: "the scheme has no parameter \"\(unknown)\"") }
    }

    /// Parameters that are no scheme's.
    struct Fault: Error {
        let message: String
    }

    /// A reader that remembers which parameters it has read.
    private struct ParameterReader {
        private let parameters: FlagObject
        private var read: [String] = []

        init(_ parameters: FlagObject) { self.parameters = parameters }

        /// The first parameter that was not read.
        var unread: String? {
            parameters.members.first { member in !read.contains { $0.hasBytes(of: member.name) } }?.name.shortened(
                to: 100)
        }

        /// Returns a text. A whole number is its digits, because vendors hash the digits.
        mutating func text(_ name: String) throws(Fault) -> String {
            read.append(name)
            guard let value = parameters[name], let text = SplitScheme.unit(value) else {
                throw Fault(message: "expected a text as \"\(name)\"")
            }
            return text
        }

        mutating func count(_ name: String) throws(Fault) -> UInt32 {
            guard let number = UInt32(try text(name)), number > 0, number <= UInt32(Int32.max) else {
                throw Fault(message: "expected a whole number from 1 to 2147483647 as \"\(name)\"")
            }
            return number
        }
    }
}
