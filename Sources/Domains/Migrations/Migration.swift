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
                migrations.append(
                    Migration(
                        number: number, name: name, sql: String(decoding: bytes, as: UTF8.self),
                        digest: Hex.encode(SHA256.digest(bytes))))
            }
            guard !migrations.isEmpty else { throw MigrationFailure("\(path): the folder contains no migrations") }
            return migrations
        } catch let failure as MigrationFailure {
            throw failure
        } catch {
            throw MigrationFailure("\(path): \(error)")
        }
    }
}

/// The reason why a schema can't be migrated, in one line.
public struct MigrationFailure: Error, Sendable, CustomStringConvertible {
    public let description: String

    init(_ description: String) { self.description = description }
}
