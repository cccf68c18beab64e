/// Notifies systemd that the program has started, is alive, and is stopping.
struct ServiceHeartbeat {
    private let service: ServiceManager?
    private var last = 0.0

    init() { service = nil }

    /// Reports that the program has started; from now on, ``tick(at:)`` sends watchdog notifications.
    init(beginning service: ServiceManager?) {
        self.service = service
        service?.notify(.ready)
    }

    /// - Parameter now: on the monotonic clock, in seconds.
    mutating func tick(at now: Double) {
        guard let service, let interval = service.watchdogInterval, now - last >= interval else { return }
        last = now
        service.notify(.alive)
    }

    /// The longest time in seconds between ticks that leaves a notification in time.
    var longestTick: Double { service?.watchdogInterval.map { $0 / 2 } ?? .infinity }

    func stop() { service?.notify(.stopping) }
}
