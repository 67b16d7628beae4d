internal import AlmanacPostgreSQL

/// The checks that PostgreSQL has connections left, and that no replication slot fills its disk with WAL.
enum CapacityCheck {
    /// A replication slot.
    struct Slot {
        var name: String
        /// True if a standby reads from the slot now.
        var isActive = true
        /// PostgreSQL's `wal_status`; `lost` if the standby can't continue.
        var walStatus = "reserved"
        /// The WAL that the slot keeps on the disk, in bytes.
        var bytes: Int64 = 0
    }

    /// The WAL that a slot may keep before a warning, in bytes. PostgreSQL itself keeps `max_wal_size`, usually 1 GiB.
    private static let maxSlotBytes: Int64 = 2 << 30

    static func findings(_ connection: Connection, _ place: String) -> [Finding] {
        do {
            let row = try connection.run(DoctorStatements.connections).single("pg_stat_database")
            let slots = try connection.run(DoctorStatements.slots).map { row in
                Slot(
                    name: try row.text("name"), isActive: try row.boolean("active"),
                    walStatus: try row.text("wal_status"), bytes: try row.bigint("bytes"))
            }
            let used = connections(place, used: try row.bigint("used"), available: try row.bigint("available"))
            return [used] + Self.slots(place, slots)
        } catch {
            return [.failed("connections", place, "\(error)", advice: "check the database's log")]
        }
    }

    /// - Parameter available: the connections for roles other than superusers.
    static func connections(_ place: String, used: Int64, available: Int64) -> Finding {
        let text = "\(used) of PostgreSQL's \(available) connections are in use"
        guard used * 5 >= available * 4 else { return .good("connections", place, text) }
        return .warning(
            "connections", place, text,
            advice: "raise max_connections and restart PostgreSQL, or lower ALMANAC_CONNECTIONS of the programs")
    }

    /// Returns a finding for each slot that endangers the disk or its standby, or one for all slots.
    static func slots(_ place: String, _ slots: [Slot]) -> [Finding] {
        let faults = slots.compactMap { slot -> Finding? in
            let drop = "drop the slot if its standby is gone: select pg_drop_replication_slot('\(slot.name)')"
            if slot.walStatus == "lost" {
                return .warning(
                    "slots", place, "the standby of the slot \(slot.name) can't continue: PostgreSQL removed its WAL",
                    advice: "make the standby anew, or " + drop)
            }
            guard slot.bytes > maxSlotBytes else { return nil }
            let state = slot.isActive ? "connected, but late" : "not connected"
            let held = "the slot \(slot.name) keeps \(slot.bytes >> 20) MB of WAL on PostgreSQL's disk"
            return .warning(
                "slots", place, "\(held); its standby is \(state)",
                advice: "start the standby, or \(drop); max_slot_wal_keep_size limits the WAL that slots keep")
        }
        return faults.isEmpty ? [.good("slots", place, "\(slots.count) slots keep little WAL")] : faults
    }
}
