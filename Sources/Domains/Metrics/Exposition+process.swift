public import AlmanacPOSIX

extension Exposition {
    /// Adds what the process takes, under the names that all of Prometheus' client libraries use.
    public mutating func add(_ usage: ProcessUsage) {
        add(.processCPUSeconds, [], usage.cpuSeconds)
        add(.processStartTime, [], usage.startTime)
        add(.processResidentMemory, [], Double(usage.residentBytes))
        add(.processVirtualMemory, [], Double(usage.virtualBytes))
        add(.processThreads, [], Double(usage.threads))
        add(.processOpenDescriptors, [], Double(usage.openDescriptors))
        add(.processDescriptorLimit, [], Double(usage.descriptorLimit))
    }
}
