#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A note as it is on this device.
public struct Note: Sendable, Identifiable, Hashable {
    public let id: String
    public let text: NoteText
    public let createdAt: Date
    /// When it was last changed, here or elsewhere.
    public let updatedAt: Date
    public let isInTrash: Bool
    /// The server's revision of the text that this one was made from; nil before the server knows the note.
    public let revision: Int64?
    /// Its place in the server's list, which sorts byte by byte; nil before the server has told.
    public let position: String?
    public let status: NoteStatus

    public var title: String { text.title }
    public var body: String { text.body }
}
