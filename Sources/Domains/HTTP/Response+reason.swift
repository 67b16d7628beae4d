extension Response {
    /// The status with its reason phrase (RFC 9110 §15), as a status line shows it: `404 Not Found`.
    public var statusText: String {
        switch status {
        case 200: "200 OK"
        case 201: "201 Created"
        case 204: "204 No Content"
        case 304: "304 Not Modified"
        case 400: "400 Bad Request"
        case 401: "401 Unauthorized"
        case 403: "403 Forbidden"
        case 404: "404 Not Found"
        case 405: "405 Method Not Allowed"
        case 406: "406 Not Acceptable"
        case 409: "409 Conflict"
        case 410: "410 Gone"
        case 412: "412 Precondition Failed"
        case 413: "413 Content Too Large"
        case 415: "415 Unsupported Media Type"
        case 422: "422 Unprocessable Content"
        case 428: "428 Precondition Required"
        case 429: "429 Too Many Requests"
        case 500: "500 Internal Server Error"
        case 503: "503 Service Unavailable"
        default: String(status)
        }
    }
}
