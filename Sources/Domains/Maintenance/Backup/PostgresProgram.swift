internal import AlmanacPOSIX
internal import AlmanacPostgreSQL

/// A program of PostgreSQL, run with the login of a connection.
struct PostgresProgram {
    private let name: String
    private let service: DraftFile?

    /// - Parameter login: the connection whose login the program uses; nil if the program doesn't log in.
    init(_ name: String, as login: Connection? = nil) throws {
        self.name = name
        service = try login.map { try Self.service($0) }
    }

    /// Writes an unnamed connection service file, so that no password appears in `ps` or remains on the disk.
    private static func service(_ login: Connection) throws -> DraftFile {
        let file = try DraftFile.unnamed()
        var text = "[almanac]\n"
        for (keyword, value) in login.options where keyword != "service" {
            guard !value.contains(where: \.isNewline) else {
                throw MaintenanceFailure(
                    "the login's \(keyword) has a line break, which PostgreSQL's programs do not support")
            }
            text += "\(keyword)=\(value)\n"
        }
        try file.write(text)
        return file
    }

    /// The argument that makes the program use the login.
    static let database = "--dbname=service=almanac"

    private var variables: [String: String] {
        // Descriptor 3, the first after standard error, is the service file. UTC makes times unambiguous.
        let time = ["TZ": "UTC", "PGTZ": "UTC"]
        return service == nil ? time : time.merging(["PGSERVICEFILE": "/dev/fd/3", "PGAPPNAME": "almanac"]) { $1 }
    }

    func start(_ arguments: [String], input: DraftFile, output: DraftFile, errors: DraftFile) throws -> ChildProcess {
        do {
            return try ChildProcess.start(
                name, arguments, variables: variables,
                descriptors: [input.descriptor, output.descriptor, errors.descriptor]
                    + (service.map { [$0.descriptor] } ?? []))
        } catch {
            throw absent(error)
        }
    }

    /// Runs the program to its end, and passes its output on line by line.
    func lines(_ arguments: [String], _ body: (ArraySlice<UInt8>) throws -> Void = { _ in }) throws {
        let (status, errors): (Int32, String)
        do {
            (status, errors) = try ChildProcess.lines(
                of: name, arguments, variables: variables, descriptors: service.map { [$0.descriptor] } ?? [], body)
        } catch let failure as SystemFailure {
            throw absent(failure)
        }
        try check(status, errors)
    }

    /// Throws if the program failed.
    func check(_ status: Int32, _ errors: String) throws {
        guard status != 0 else { return }
        let text = errors.split(whereSeparator: \.isNewline).prefix(5).joined(separator: " ")
        throw MaintenanceFailure("\(name) failed with status \(status): \(text)")
    }

    private func absent(_ failure: SystemFailure) -> MaintenanceFailure {
        MaintenanceFailure("\(name) cannot be run: \(failure); install Debian's postgresql-client")
    }
}
