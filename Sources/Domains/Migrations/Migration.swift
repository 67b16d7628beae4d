internal import AlmanacCryptography
internal import AlmanacPOSIX

/// A migration of the schema: a file `000001_name.sql`.
public struct Migration: Sendable, Equatable {
    public let number: Int
    /// The name of the file.
    public let name: String
    public let sql: String
    /// SHA-256 of the file, in hexadecimal.
    public let digest: String
    /// The lowest number of a newest migration whose programs still work after this one: the number before, unless
    /// the file has a line such as `-- keeps: 17`.
    public let keeps: Int

    /// Reads the migrations of a folder, in order.
    public static func all(inFolder path: String) throws(MigrationFailure) -> [Migration] {
        do {
            var migrations: [Migration] = []
            for name in try File.names(inFolder: path) where name.hasSuffix(".sql") {
                let number = name.prefix { $0 != "_" }
                guard number.utf8.count == 6, number.utf8.allSatisfy({ (48...57).contains($0) }),
                    let number = Int(number)
                else {
                    throw MigrationFailure("\(path)/\(name): expected a name such as 000001_config.sql")
                }
                guard number == migrations.count + 1 else {
                    throw MigrationFailure("\(path)/\(name): expected number \(migrations.count + 1) next")
                }
                let bytes = try File.read("\(path)/\(name)")
                let sql = String(decoding: bytes, as: UTF8.self)
                guard let keeps = keeps(in: sql, number) else {
                    throw MigrationFailure(
                        "\(path)/\(name): expected one line '-- keeps: N' at most, with N from 0 to \(number)")
                }
                migrations.append(
                    Migration(
                        number: number, name: name, sql: sql, digest: Hex.encode(SHA256.digest(bytes)), keeps: keeps))
            }
            guard !migrations.isEmpty else { throw MigrationFailure("\(path): the folder contains no migrations") }
            return migrations
        } catch let failure as MigrationFailure {
            throw failure
        } catch {
            throw MigrationFailure("\(path): \(error)")
        }
    }

    /// Returns the number in the line `-- keeps: N`, or the number before if there is no such line; nil if the line is
    /// invalid.
    private static func keeps(in sql: String, _ number: Int) -> Int? {
        let lines = sql.matches(of: /(?im)^[ \t]*--[ \t]*keeps\b(.*)$/)
        guard let line = lines.first else { return number - 1 }
        guard lines.count == 1, let keeps = line.output.1.wholeMatch(of: /: ([0-9]{1,6})/).flatMap({ Int($0.output.1) })
        else { return nil }
        return (0...number).contains(keeps) ? keeps : nil
    }
}

/// The reason why a schema can't be migrated, in one line.
public struct MigrationFailure: Error, Sendable, CustomStringConvertible {
    public let description: String

    init(_ description: String) { self.description = description }
}
