public import Foundation

/// A note as it is on this device.
public struct Note: Sendable, Identifiable, Hashable {
    public let id: String
    public let text: NoteText
    public let createdAt: Date
    /// When it was last changed, here or elsewhere.
    public let updatedAt: Date
    public let isInTrash: Bool
    public let status: NoteStatus

    public var title: String { text.title }
    public var body: String { text.body }
}
