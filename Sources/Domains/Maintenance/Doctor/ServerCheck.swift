internal import AlmanacHTTPSClient
internal import AlmanacJSON
internal import AlmanacPOSIX
internal import AlmanacTimestamps
internal import AlmanacTransport

/// The check of the certificate, the clock and the workers' health, made over HTTP as a client.
struct ServerCheck {
    private let address: WebAddress
    private let caFile: String?
    private let now: @Sendable () -> Int64

    /// The remaining lifetime at which a certificate causes a warning, in seconds. Renewal usually begins at 30 days.
    private static let warningLifetime: Int64 = 14 * 86_400

    /// - Parameter now: returns this machine's time of day in milliseconds since 1970.
    init(_ address: WebAddress, caFile: String?, now: @escaping @Sendable () -> Int64) {
        self.address = address
        self.caFile = caFile
        self.now = now
    }

    func findings() -> [Finding] {
        let base = String(address.text.reversed().drop { $0 == "/" }.reversed())
        guard let ready = WebAddress(base + "/-/ready") else {
            return [.failed("server", base, "is not a valid address", advice: "give \(WebAddress.form)")]
        }
        let client = HTTPSClient(caFile: caFile)
        let (expiry, before, answer): (String?, Int64, TransportResponse<[UInt8]>)
        do {
            expiry = try client.certificateExpiry(of: ready)
            before = now()
            answer = try client.get(ready)
        } catch {
            return [unreachable(base, "\(error)")]
        }
        return [
            certificate(base, expiry), clock(base, answer, askedAt: before),
            health("health", of: "the workers", base, answer), events(base),
        ]
    }

    /// Checks the health of the events processes.
    private func events(_ base: String) -> Finding {
        let check = "health of streams"
        do {
            guard let ready = WebAddress(base + "/-/events/ready") else {
                throw MaintenanceFailure("the address is not valid")
            }
            let answer = try HTTPSClient(caFile: caFile).get(ready)
            return health(check, of: "the events processes", base, answer)
        } catch {
            return .failed(check, base, "\(error)", advice: "check that nginx is running and listens at this address")
        }
    }

    private func unreachable(_ base: String, _ reason: String) -> Finding {
        let words = reason.lowercased()
        guard words.contains("certificate") || words.contains("ssl") else {
            return .failed("server", base, reason, advice: "check that nginx is running and listens at this address")
        }
        return .failed(
            "certificate", base, reason,
            advice: "give nginx a valid certificate with this host's name, from an authority that clients trust; "
                + "name a private authority with --ca-file")
    }

    private func certificate(_ base: String, _ expiry: String?) -> Finding {
        guard let expiry else { return .skipped("certificate", base, "plain HTTP has no certificate") }
        guard let end = OpenSSLDate.timestamp(expiry) else {
            return .warning(
                "certificate", base, "has an unreadable expiry, \(expiry)", advice: "check the certificate with openssl"
            )
        }
        let rest = (end.milliseconds - now()) / 1000
        guard rest > Self.warningLifetime else {
            return .warning(
                "certificate", base, "expires in \(rest / 86_400) days, at \(end)",
                advice: "check that its renewal works, and that nginx is reloaded after a renewal")
        }
        return .good("certificate", base, "is trusted, has this host's name, and is valid until \(end)")
    }

    private func clock(_ base: String, _ answer: TransportResponse<[UInt8]>, askedAt before: Int64) -> Finding {
        guard let text = answer.headers["Date"],
            let theirs = Timestamp(httpDate: text, now: Timestamp(milliseconds: before))?.milliseconds
        else {
            return .skipped("clock", base, "the response has no Date")
        }
        // The header has whole seconds.
        let difference = theirs + 999 < before ? theirs + 999 - before : max(0, theirs - now())
        return ClockCheck.finding(base, "the server's clock", ahead: difference, tolerance: 2000)
    }

    private func health(
        _ check: String, of whom: String, _ base: String, _ answer: TransportResponse<[UInt8]>
    ) -> Finding {
        switch answer.status {
        case 200: return .good(check, base, "requests reach \(whom), and every environment is ready")
        case 403:
            return .skipped(
                check, base, "health is shown only on the host itself", advice: "run almanac doctor on the host")
        case 502, 503, 504:
            let environments = (try? JSONValue(parsing: answer.body))?.objectValue?["environments"]?.objectValue
            let away = environments?.members.filter { $0.value.objectValue?["ready"] == .some(false) }.map(\.name) ?? []
            let text =
                away.isEmpty
                ? "\(whom) do not respond"
                : "\(whom) have no connection to the database of \(away.joined(separator: ", "))"
            return .failed(check, base, text, advice: "fix the problems above, and check the log of \(whom)")
        default:
            return .failed(
                check, base, "the health path returns the status \(answer.status)",
                advice: "check that nginx has Almanac's configuration, that \(whom) are running, "
                    + "and that the URL is Almanac's")
        }
    }
}
