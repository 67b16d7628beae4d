public import AlmanacPOSIX

/// The metrics of the process, with the names that all Prometheus client libraries use.
extension Metric {
    static let processCPUSeconds = Metric(
        .counter, "process_cpu_seconds_total", "Processor time in seconds, including the kernel.")
    static let processStartTime = Metric(
        .gauge, "process_start_time_seconds", "Start time of the process, in seconds since 1970.")
    static let processResidentMemory = Metric(
        .gauge, "process_resident_memory_bytes", "Memory of the process that is in RAM.")
    static let processVirtualMemory = Metric(.gauge, "process_virtual_memory_bytes", "Address space of the process.")
    static let processThreads = Metric(.gauge, "process_threads", "Threads of the process, of all kinds.")
    static let processOpenDescriptors = Metric(.gauge, "process_open_fds", "Open file descriptors.")
    static let processDescriptorLimit = Metric(.gauge, "process_max_fds", "Maximum number of open file descriptors.")

    public static let ofProcess: [Metric] = [
        processCPUSeconds, processStartTime, processResidentMemory, processVirtualMemory, processThreads,
        processOpenDescriptors, processDescriptorLimit,
    ]
}

extension Exposition {
    /// Adds the resource usage of the process.
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
