internal import AlmanacJSON
internal import AlmanacPOSIX

/// A person's file of profiles.
///
///     { "default": "local",
///       "profiles": { "local": { "url": "https://localhost:8443", "environment": "development",
///                                "token_file": "development.token", "ca_file": "ca.pem" } } }
///
/// Paths are relative to the file's own folder, or begin with `~/`.
public struct ProfileFile: Sendable {
    public let path: String
    /// The profiles with their names, in the file's order.
    public let profiles: [(name: String, profile: Profile)]
    private let standard: String?

    /// Reads and checks a file.
    ///
    /// - Returns: nil when there is none.
    public init?(_ path: String) throws(SettingsFailure) {
        self.path = path
        let bytes: [UInt8]
        do throws(SystemFailure) { bytes = try File.read(path, limit: 1 << 20) } catch {
            if error.isMissingFile { return nil }
            throw SettingsFailure("profile file \(path): \(error)")
        }
        let document: JSONValue
        do { document = try JSONValue(parsing: bytes) } catch {
            throw SettingsFailure("profile file \(path): \(error)")
        }
        guard let root = document.objectValue, let members = root["profiles"]?.objectValue,
            root.members.allSatisfy({ ["default", "profiles"].contains($0.name) })
        else {
            throw SettingsFailure(
                "profile file \(path): expected an object with 'profiles', an object with a member per profile, and "
                    + "'default', the name of one of them")
        }
        var profiles: [(name: String, profile: Profile)] = []
        for member in members.members {
            profiles.append((member.name, try Self.profile(member.value, named: member.name, path: path)))
        }
        self.profiles = profiles
        standard = root["default"]?.stringValue
        if let value = root["default"], value.stringValue.flatMap({ members[$0] }) == nil {
            throw SettingsFailure("profile file \(path): 'default' names no profile")
        }
    }

    /// The profile of that name, or without a name the default one, or the only one.
    public func profile(_ name: String? = nil) -> Profile? {
        if let name = name ?? standard { return profiles.first { $0.name.utf8.elementsEqual(name.utf8) }?.profile }
        return profiles.count == 1 ? profiles[0].profile : nil
    }

    private static func profile(
        _ value: JSONValue, named name: String, path: String
    ) throws(SettingsFailure) -> Profile {
        let names = ["url", "environment", "token_file", "ca_file", "issuer", "client_id", "issuer_ca_file"]
        guard let object = value.objectValue,
            object.members.allSatisfy({ names.contains($0.name) && $0.value.stringValue?.isEmpty == false })
        else {
            throw SettingsFailure(
                "profile file \(path): profile '\(name)' must be an object with texts for some of "
                    + names.joined(separator: ", "))
        }
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        func file(_ member: String) -> String? {
            object[member]?.stringValue.map { text in
                if text.hasPrefix("~/"), let home = Process.variable("HOME") { return home + text.dropFirst() }
                return text.hasPrefix("/") ? text : folder + text
            }
        }
        return Profile(
            url: object["url"]?.stringValue, environment: object["environment"]?.stringValue,
            tokenFile: file("token_file"), caFile: file("ca_file"),
            issuer: object["issuer"]?.stringValue, clientID: object["client_id"]?.stringValue,
            issuerCAFile: file("issuer_ca_file"))
    }
}
