extension Response {
    /// The status with its reason phrase (RFC 9110 §15), as a status line shows it: `404 Not Found`.
    public var statusText: String {
        let reason =
            switch status {
            case 200: "OK"
            case 201: "Created"
            case 204: "No Content"
            case 304: "Not Modified"
            case 400: "Bad Request"
            case 401: "Unauthorized"
            case 403: "Forbidden"
            case 404: "Not Found"
            case 405: "Method Not Allowed"
            case 406: "Not Acceptable"
            case 409: "Conflict"
            case 410: "Gone"
            case 412: "Precondition Failed"
            case 413: "Content Too Large"
            case 415: "Unsupported Media Type"
            case 422: "Unprocessable Content"
            case 428: "Precondition Required"
            case 429: "Too Many Requests"
            case 500: "Internal Server Error"
            case 503: "Service Unavailable"
            default: ""
            }
        return reason.isEmpty ? "\(status)" : "\(status) \(reason)"
    }
}
