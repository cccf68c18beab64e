import Testing

@testable import Application

@Suite struct ServiceManagerTests {
    @Test("systemd is notified only if it listens, and watchdog messages are sent at half of its timeout")
    func service() {
        #expect(ServiceManager(environment: [:]) == nil)
        #expect(ServiceManager(environment: ["NOTIFY_SOCKET": "relative"]) == nil)
        let named = ["NOTIFY_SOCKET": "/run/notify"]
        #expect(ServiceManager(environment: named)?.watchdogInterval == nil)
        #expect(ServiceManager(environment: named.merging(["WATCHDOG_USEC": "10000000"]) { $1 })?.watchdogInterval == 5)
        let others = named.merging(["WATCHDOG_USEC": "10000000", "WATCHDOG_PID": "1"]) { $1 }
        #expect(ServiceManager(environment: others, pid: 2)?.watchdogInterval == nil)
        #expect(ServiceManager(environment: others, pid: 1)?.watchdogInterval == 5)
    }
}
