internal import AlmanacNotes

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

// Attachments by the paths of their files.
extension NotesStore {
    func attach(path: String, keepsMetadata: Bool) async throws -> StoredAttachment {
        do {
            return try await attach(URL(fileURLWithPath: path), keepsMetadata: keepsMetadata)
        } catch NotesFailure.pictureDamaged {
            throw CommandFailure(
                description: "\(path): the picture is damaged, so that its location and camera data cannot be removed; "
                    + "--keep-metadata attaches it as it is")
        }
    }

    /// Adds a file of an export, and a damaged picture as it is. Returns nil if the attachment exists.
    func add(path: String, attachment id: String, name: String) async throws -> AddedFile? {
        let file = URL(fileURLWithPath: path)
        do {
            return try await add(file, attachment: id, name: name).isNew ? .plain : nil
        } catch NotesFailure.pictureDamaged {
            _ = try await add(file, attachment: id, name: name, keepsMetadata: true)
            return .damagedPicture
        }
    }

    /// Returns the path of an attachment's file on this machine, and fetches the file first if necessary.
    func path(ofAttachment id: String) async throws -> String { try await file(of: id).path }

    /// Copies an attachment's file to a new path.
    func save(attachment id: String, to path: String) async throws {
        let source = try await file(of: id)
        do { try FileManager.default.copyItem(at: source, to: URL(fileURLWithPath: path)) } catch {
            throw CommandFailure(description: "\(path): the file cannot be written; it exists, or the disk is full")
        }
    }

    /// Removes a file of notes with its companions and attachments.
    static func removeFiles(_ path: String) {
        for part in ["", "-wal", "-shm", "-attachments"] { try? FileManager.default.removeItem(atPath: path + part) }
    }
}

/// A new file of an import.
enum AddedFile {
    case plain
    /// A picture that was added with its metadata.
    case damagedPicture
}
