import AlmanacEnvironments
import AlmanacForms
import AlmanacIdentity
import AlmanacJSON
import AlmanacPostgreSQL
import AlmanacTestSupport
import Testing

@testable import AlmanacConfigDomain

/// Tests tokens that switch off one flag, and the alerts that do it.
@Suite(.database(.migrated)) struct AlertSwitchTests {
    private let team: ProposalTeam
    private let authorization: String

    init() throws {
        // The environment exempts nothing from approvals.
        team = try ProposalTeam(exempt: [])
        try team.put("other", #"{"value":\#(ProposalTeam.flag),"kind":"flag"}"#)
        authorization = try team.instance.authorization("alerts", [.flagDisable("checkout")])
    }

    private func call(_ method: String, _ path: String, _ body: String = "") throws -> TestResponse {
        try team.instance.service.refresh()
        return try team.instance.call(
            method, path, bytes: Array(body.utf8), as: nil, [("Authorization", authorization)])
    }

    private func switchOff(_ body: String = "") throws -> TestResponse {
        try call("POST", "/flags/checkout/disable", body)
    }

    private func state() throws -> JSONValue? { try team.value("checkout")?.objectValue?["state"] }

    /// The body that Alertmanager 0.27 sends for a group of alerts.
    private static func group(_ status: String, _ alerts: (status: String, name: String)...) -> String {
        let list = alerts.map { alert in
            #"{"status":"\#(alert.status)","labels":{"alertname":\#(JSONValue.string(alert.name).description),"#
                + #""severity":"page"},"annotations":{"summary":"5 % of payments fail"},"#
                + #""startsAt":"2026-12-01T03:12:00.1Z","endsAt":"0001-01-01T00:00:00Z","#
                + #""generatorURL":"http://prometheus/graph?g0.expr=1","fingerprint":"c0ffee"}"#
        }
        return #"{"receiver":"checkout-off","status":"\#(status)","alerts":[\#(list.joined(separator: ","))],"#
            + #""groupLabels":{"alertname":"Grouped"},"commonLabels":{"severity":"page"},"commonAnnotations":{},"#
            + #""externalURL":"http://alertmanager","version":"4","groupKey":"{}:{}","truncatedAlerts":0}"#
    }

    @Test func `a token for one flag switches it off without approvals, once, and learns nothing`() throws {
        #expect(try team.call("ben", "POST", "/flags/checkout/disable").outcome == "403 approval-required")
        let off = try switchOff().expecting(200)
        #expect(try state() == "DISABLED")
        #expect(off[member: "entries"] == [], "the token cannot read the rule")
        #expect(try switchOff().expecting(200).revision == off.revision)
        let release = try team.instance.query(
            "test_release", "select author, exemption from config_releases order by revision desc limit 1")
        #expect(try release[0].text("author") == "token of alerts")
        #expect(try release[0].text("exemption") == "disable")
    }

    @Test func `it does nothing else`() throws {
        for (method, path, body) in [
            ("POST", "/flags/checkout/enable", ""), ("POST", "/flags/other/disable", ""),
            ("POST", "/flags/checkouts/disable", ""), ("POST", "/flags/checkout/disable?propose=true", ""),
            ("PATCH", "/config", #"{"checkout":{"state":"DISABLED"}}"#), ("DELETE", "/config/checkout", ""),
            ("POST", "/imports/unleash", #"{"files":[]}"#), ("GET", "/releases", ""), ("GET", "/flags.json", ""),
            ("GET", "/approvals", ""),
        ] {
            #expect(try call(method, path, body).outcome == "403 scope-too-small", "\(method) \(path)")
        }
        #expect(try state() == "ENABLED")
    }

    @Test func `the scope of a token that may do more exempts only this switch`() throws {
        let authorization = try team.instance.authorization("lee", [.configWrite, .flagDisable("checkout")])
        func call(_ path: String, _ body: String = "") throws -> String {
            try team.instance.call(
                body.isEmpty ? "POST" : "PATCH", path, bytes: Array(body.utf8), as: nil,
                [("Authorization", authorization)]
            ).outcome
        }
        #expect(try call("/flags/other/disable") == "403 approval-required")
        #expect(try call("/config", #"{"checkout":{"state":"DISABLED"}}"#) == "403 approval-required")
        #expect(try call("/flags/checkout/disable?propose=true") == "201")
        #expect(try call("/flags/checkout/disable") == "200")
    }

    @Test func `a firing alert switches off, and the history and the audit log name it`() throws {
        let resolved = Self.group("resolved", ("resolved", "CheckoutFails"))
        #expect(try switchOff(resolved).expecting(200).revision == 3)
        #expect(try state() == "ENABLED")
        let firing = Self.group(
            "firing", ("firing", "CheckoutFails"), ("resolved", "Slow"), ("firing", "CheckoutFails"))
        #expect(try switchOff(firing).expecting(200).revision == 4)
        #expect(try state() == "DISABLED")
        // Alertmanager repeats the notification while the alert fires.
        #expect(try switchOff(firing).expecting(200).revision == 4)
        let line = try team.instance.query(
            "test_audit",
            "select details ->> 'alert' as alert, author from audit_log where action = 'config.change' order by id desc"
        )[0]
        #expect(try line.text("alert") == "Alert CheckoutFails")
        #expect(try team.call("eve", "GET", "/releases/4")[member: "message"] == "Alert CheckoutFails")
    }

    @Test func `names of alerts fit into a message whatever they contain`() throws {
        let long = String(repeating: "🔥", count: 300)
        try switchOff(Self.group("firing", ("firing", "a\n\u{7}b"), ("firing", long), ("firing", "c"), ("firing", "d")))
            .expecting(200)
        let message = try #require(try team.call("eve", "GET", "/releases/4")[member: "message"]?.stringValue)
        #expect(message == "Alerts a b, c, d and 1 more")
        try team.release(#"{"checkout":{"state":"ENABLED"}}"#)
        try switchOff(Self.group("firing", ("firing", long), ("firing", long + "x"), ("firing", "é" + long)))
            .expecting(200)
        let second = try #require(try team.call("eve", "GET", "/releases/6")[member: "message"]?.stringValue)
        #expect(second.hasPrefix("Alerts é🔥") && ReleaseMessage.isValid(second))
    }

    @Test func `another body is refused, and an empty object is no body`() throws {
        for (body, outcome, state) in [
            (#"{"status":"pending"}"#, "422 invalid-value", "ENABLED"),
            (#"{"alerts":[]}"#, "422 invalid-value", "ENABLED"), ("[]", "422 invalid-value", "ENABLED"),
            ("off", "400 invalid-json", "ENABLED"), ("{}", "200", "DISABLED"),
            (#"{"status":"firing"}"#, "200", "DISABLED"),
            (#"{"status":"firing","groupLabels":{"alertname":"G"},"alerts":[7]}"#, "200", "DISABLED"),
        ] {
            #expect(try switchOff(body).outcome == outcome, "\(body)")
            #expect(try self.state()?.stringValue == state, "\(body)")
            if state == "DISABLED" { try team.release(#"{"checkout":{"state":"ENABLED"}}"#) }
        }
        let messages = try team.call("eve", "GET", "/releases?limit=4").json.arrayValue?.map { release in
            release.objectValue?["message"]?.stringValue
        }
        #expect(messages == ["", "Alert G", "", "Alert without a name"])
    }

    @Test func `an administrator makes such a token only where switching off needs no approval`() throws {
        for (needsApproval, own, isAllowed) in [
            (false, [Scope.admin], true), (true, [.admin], false), (true, [.admin, .flagDisable("other")], false),
            (true, [.admin, .flagDisable("checkout")], true),
        ] {
            let tokens = TokenAdministration(
                try Connection(team.instance.service.settings.owner), by: Author("ada", .user),
                for: .only(nil, scopes: own, needsApprovalToDisable: needsApproval))
            let made = try? tokens.create(
                environment: "staging", label: "alerts", scopes: [.flagDisable("checkout")], expiresAt: nil)
            #expect((made != nil) == isAllowed, "\(needsApproval) \(own)")
        }
    }
}
