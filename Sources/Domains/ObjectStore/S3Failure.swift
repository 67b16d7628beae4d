internal import AlmanacTransport

/// The reason for which an S3 store did not do what was asked.
public enum S3Failure: Error, Equatable, Sendable, CustomStringConvertible {
    /// The store cannot be reached, is too slow, or has an error of its own.
    case away(String)
    /// The store has no room.
    case full(String)
    /// The object does not exist.
    case missing
    /// The store refuses the request, which needs other settings.
    case refused(String)
    /// The response does not fit the request.
    case invalid(String)

    public var description: String {
        switch self {
        case .away(let reason): "the S3 store is away: \(reason)"
        case .full(let reason): "the S3 store is full: \(reason)"
        case .missing: "the S3 store lacks the object"
        case .refused(let reason): "the S3 store refuses the request: \(reason); check the settings of 's3'"
        case .invalid(let reason): "the S3 store answers wrongly: \(reason)"
        }
    }
}

/// A response of an S3 store, with the body of an error or a listing.
struct S3Answer {
    var status = 0
    var headers = HeaderFields()
    var body: [UInt8] = []

    var isSuccess: Bool { (200..<300).contains(status) }

    /// The first element `Code` of an error document, or nil.
    var code: String? {
        // Other characters could forge lines of a log.
        guard let code = String(decoding: body, as: UTF8.self).firstMatch(of: /<Code>([A-Za-z0-9.]{1,64})<\/Code>/)
        else { return nil }
        return String(code.output.1)
    }

    /// The failure that the response reports. A response with an unexpected success is one too.
    var failure: S3Failure {
        let reason = [String(status), code].compactMap(\.self).joined(separator: " ")
        return switch (status, code) {
        case (507, _), (_, "QuotaExceeded"), (_, "XMinioStorageFull"), (_, "XMinioAdminBucketQuotaExceeded"):
            .full(reason)
        case (404, "NoSuchKey"): .missing
        case (429, _), (500..., _), (_, "RequestTimeout"): .away(reason)
        case (300..<500, _): .refused(reason)
        default: .invalid(reason)
        }
    }
}

/// The part of an object in a response.
struct S3Part {
    let range: Range<Int>
    /// The length of the whole object.
    let bytes: Int

    /// Reads the part. Some stores send a range with the status 200, so only Content-Range tells it from the whole
    /// object.
    ///
    /// - Parameter bytes: The length of the whole object if the response does not tell; nil if it must.
    init(_ headers: HeaderFields, bytes: Int?) throws(S3Failure) {
        let length = headers["Content-Length"].flatMap { Int($0) }
        guard let text = headers["Content-Range"] else {
            guard let bytes = length ?? bytes, bytes >= 0 else { throw .invalid("an object without a length") }
            (range, self.bytes) = (0..<bytes, bytes)
            return
        }
        guard let numbers = text.wholeMatch(of: /bytes ([0-9]+)-([0-9]+)\/([0-9]+)/)?.output,
            let first = Int(numbers.1), let last = Int(numbers.2), let whole = Int(numbers.3), first <= last,
            last < whole, length == nil || length == last - first + 1
        else { throw .invalid("the range '\(text.prefix(64))'") }
        (range, self.bytes) = (first..<last + 1, whole)
    }
}
