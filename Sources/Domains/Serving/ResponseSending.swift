internal import AlmanacFastCGI
internal import AlmanacHTTP
internal import AlmanacResponseStreams

/// The result of sending a response.
enum SendingOutcome {
    case answered
    /// The header has been sent, and the body is a stream.
    case stream(begin: @Sendable (ResponseStream) -> Void)
}

extension FastCGIConnection {
    /// Sends a response. The record receives the reason if a response in pieces fails.
    func send(_ response: Response, to method: String, _ record: RequestRecord) -> SendingOutcome {
        if case .pieces(let writePieces) = response.body, method != "HEAD" {
            send(response, in: writePieces, record)
            return .answered
        }
        guard writeHead(of: response), method != "HEAD" else { return .answered }
        switch response.body {
        case .bytes(let bytes):
            write(bytes)
            return .answered
        case .pieces: return .answered
        case .stream(let begin): return .stream(begin: begin)
        }
    }

    /// Sends a response in pieces, with the header before the first piece.
    private func send(
        _ response: Response, in writePieces: (_ send: ([UInt8]) throws(ClientGone) -> Void) throws -> Void,
        _ record: RequestRecord
    ) {
        var hasBegun = false
        do {
            try writePieces { piece throws(ClientGone) in
                let isSent = (hasBegun || writeHead(of: response)) && write(piece)
                hasBegun = true
                guard isSent else { throw ClientGone() }
            }
        } catch {
            let problem = record.recordProblem(of: error)
            if hasBegun {
                abort()
            } else {
                _ = send(problem.response(requestID: record.id), to: "", record)
            }
        }
    }

    /// Writes the header block in CGI form (RFC 3875 §6.2). Returns false if the client has disconnected.
    private func writeHead(of response: Response) -> Bool {
        write("Status: ")
        write(response.statusText)
        write("\r\n")
        write(response.headers.bytes)
        if response.status != 304, response.status != 204, case .bytes(let bytes) = response.body {
            write("Content-Length: ")
            write(String(bytes.count))
            write("\r\n")
        }
        return write("\r\n")
    }
}
