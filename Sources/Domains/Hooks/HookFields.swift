internal import AlmanacEnvironments
internal import AlmanacForms
internal import AlmanacHTTP
internal import AlmanacJSON
internal import AlmanacWebhooks

/// The members of a hook that its maker chooses.
struct HookFields {
    var url: String
    var label: String
    var format: HookFormat
    var types: [String]
    var keys: [String]

    /// The most hooks of an environment.
    static let maxHooks = 50
    private static let maxLabelLength = 100
    private static let maxKeys = 100
    /// The types of events that a hook can take.
    static let allTypes = HookEvent.Kind.allCases.filter { $0 != .hookTest }.map(\.rawValue)

    init(_ hook: HookRecord) {
        url = hook.url
        label = hook.label
        format = hook.format
        types = hook.types
        keys = hook.keys
    }

    /// Reads the fields of a new hook.
    init(_ object: JSONObject, for rules: ReachableAddresses) throws(Problem) {
        self.init()
        guard object["url"] != nil else {
            throw Problem(.invalidValue, "'url' is missing; expected the receiver's URL")
        }
        label = ""
        try change(object, for: rules)
        guard !label.isEmpty else {
            throw Problem(
                .invalidValue, "'label' is missing; expected a name of at most \(Self.maxLabelLength) characters")
        }
    }

    private init() {
        url = ""
        label = ""
        format = .json
        types = [HookEvent.Kind.releaseCreated.rawValue]
        keys = []
    }

    /// Changes the members that are there.
    mutating func change(_ object: JSONObject, for rules: ReachableAddresses) throws(Problem) {
        if let member = object["url"] {
            guard let text = member.stringValue else { throw Problem(.invalidValue, "'url' must be a text") }
            do { url = try HookURL(text, for: rules).text } catch { throw Problem(.invalidValue, "'url': \(error)") }
        }
        if let member = object["label"] {
            guard let text = member.stringValue, (1...Self.maxLabelLength).contains(text.unicodeScalars.count),
                text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
            else {
                throw Problem(
                    .invalidValue, "'label' must be one line of 1 to \(Self.maxLabelLength) characters")
            }
            label = text
        }
        if let member = object["format"] {
            guard let known = member.stringValue.flatMap(HookFormat.init) else {
                let names = HookFormat.allCases.map(\.rawValue).joined(separator: ", ")
                throw Problem(.invalidValue, "'format' must be one of \(names)")
            }
            format = known
        }
        if let member = object["types"] {
            guard let names = member.arrayValue?.compactMap(\.stringValue), !names.isEmpty,
                names.count == member.arrayValue?.count, names.allSatisfy(Self.allTypes.contains)
            else {
                throw Problem(
                    .invalidValue, "'types' must list one or more of \(Self.allTypes.joined(separator: ", "))")
            }
            types = Set(names).sorted()
        }
        if let member = object["keys"] {
            guard let patterns = member.arrayValue?.compactMap({ $0.stringValue.flatMap { KeyPattern($0) } }),
                patterns.count == member.arrayValue?.count, patterns.count <= Self.maxKeys
            else {
                throw Problem(
                    .invalidValue, "'keys' must list at most \(Self.maxKeys) keys or beginnings such as pay.*")
            }
            keys = Set(patterns.map(\.text)).sorted()
        }
    }
}
