public import AlmanacFastCGI
public import AlmanacHTTP

/// The maximum number of parameters of a request: header fields, and parameters that nginx adds.
private let maxParameters = 256

extension Request {
    convenience init(
        _ parameters: Parameters, _ record: RequestRecord, on connection: FastCGIConnection, memory: RequestMemory
    ) throws(Problem) {
        guard parameters.count <= maxParameters else {
            throw Problem(
                .invalidHeader, "the request has \(parameters.count) header fields; the limit is \(maxParameters)")
        }
        let length = parameters["CONTENT_LENGTH"] ?? ""
        self.init(
            method: record.method, target: try parameters.target,
            headers: Headers(parameters),
            application: parameters["ALMANAC_APPLICATION"].flatMap { Application(rawValue: $0) }, id: record.id,
            body: Body(
                length: length.isEmpty ? 0 : Int(length), isAbandoned: { connection.isAbandoned },
                read: { connection.readBody(count: $0) }), arrival: record.arrival, memory: memory)
    }
}

extension Parameters: HeaderSource {}

extension Parameters {
    /// The target of the request, with the environment as the first segment.
    var target: Target {
        get throws(Problem) {
            let environment = self["ALMANAC_ENVIRONMENT"] ?? ""
            return try Target(self["REQUEST_URI"] ?? "", environment: environment.isEmpty ? nil : environment)
        }
    }

    /// The segments of the path, even if it is malformed.
    var path: [String] {
        if let target = try? target { return target.segments }
        let path = (self["REQUEST_URI"] ?? "").prefix { $0 != "?" }.split(separator: "/").map { String($0) }
        return [self["ALMANAC_ENVIRONMENT"] ?? ""].filter { !$0.isEmpty } + path
    }
}
