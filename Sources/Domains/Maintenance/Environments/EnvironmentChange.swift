internal import AlmanacEnvironments
internal import AlmanacPOSIX

/// A change of the set of environments, checked before it runs.
public protocol EnvironmentChange {
    /// The steps of the change, in order.
    var steps: [String] { get }
    /// Makes the change.
    ///
    /// - Parameter report: receives each finished step.
    /// - Returns: the steps left to the operator; empty if everything is done.
    func run(_ report: (String) throws -> Void) throws -> [String]
}

/// The environments file with one member added or removed.
struct EnvironmentsDraft {
    let path: String
    let former: [UInt8]
    let contents: [UInt8]

    /// Throws if the programs would refuse the file. It is checked in the same folder, so that relative paths hold.
    func check() throws {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "./"
        let (file, draft) = try DraftFile.named("\(folder).environments-", ending: ".json")
        defer { File.remove(draft) }
        try file.write(contents)
        do {
            _ = try EnvironmentsFile.load(draft)
        } catch {
            throw MaintenanceFailure("the environments file would not be valid: \(error.reason)")
        }
    }

    /// Replaces the file, unless it was changed since it was read.
    func publish() throws {
        guard try File.read(path) == former else {
            throw MaintenanceFailure("\(path) was changed by somebody else meanwhile; check the file, and try again")
        }
        do { try File.replace(path, contents: contents, permissions: nil, isDurable: true) } catch {
            throw MaintenanceFailure("\(path) could not be replaced: \(error)")
        }
    }
}
