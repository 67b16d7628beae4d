internal import AlmanacTimestamps

/// An object in a listing of an S3 bucket.
public struct S3Object: Sendable, Equatable {
    public let key: String
    public let bytes: Int
    /// The time of the last write, in seconds since 1970.
    public let modifiedAt: Int64
}

extension S3Object {
    /// Reads a page of a listing (ListObjectsV2).
    ///
    /// Keys are not unescaped, because those of Almanac have no characters that XML escapes.
    static func list(_ text: String) throws(S3Failure) -> (objects: [S3Object], isComplete: Bool) {
        guard let isTruncated = element("IsTruncated", of: text) else { throw .invalid("no listing") }
        var objects: [S3Object] = []
        for text in text.split(separator: "<Contents>").dropFirst() {
            guard let key = element("Key", of: text), let bytes = element("Size", of: text).flatMap({ Int($0) }),
                let modified = element("LastModified", of: text).flatMap({ Timestamp($0) })
            else { throw .invalid("an object in a listing without key, size or time") }
            objects.append(
                S3Object(key: String(key), bytes: bytes, modifiedAt: modified.milliseconds / 1000))
        }
        return (objects, isTruncated != "true")
    }

    private static func element<Text: StringProtocol>(_ name: String, of text: Text) -> Text.SubSequence?
    where Text.SubSequence: StringProtocol {
        guard let start = text.firstRange(of: "<\(name)>"),
            let end = text[start.upperBound...].firstRange(of: "</\(name)>")
        else { return nil }
        return text[start.upperBound..<end.lowerBound]
    }
}
