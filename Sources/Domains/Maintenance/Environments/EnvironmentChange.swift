internal import AlmanacEnvironments
internal import AlmanacPOSIX

/// A change of what environments there are, checked before anything is done.
public protocol EnvironmentChange {
    /// What will be done, in order.
    var steps: [String] { get }
    /// Does it.
    ///
    /// - Parameter report: is given each step when it is done.
    /// - Returns: what is left to the operator; nothing where all is done.
    func run(_ report: (String) throws -> Void) throws -> [String]
}

/// The environments file, of which one member comes or goes.
struct EnvironmentsDraft {
    let path: String
    let former: [UInt8]
    let contents: [UInt8]

    /// Refuses what the programs would refuse, by the eyes of the programs: it is read from beside the file.
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

    /// Puts it in the place of the file, unless that was changed since it was read.
    func publish() throws {
        guard try File.read(path) == former else {
            throw MaintenanceFailure("\(path) was changed by somebody else meanwhile; look at it, and try again")
        }
        do { try File.replace(path, contents: contents, permissions: nil, isDurable: true) } catch {
            throw MaintenanceFailure("\(path) could not be replaced: \(error)")
        }
    }
}
