import Terminal
import Testing

@Suite("The report of xruns")
struct XrunReportTests {
    @Test("the first is reported at once, and those of each minute after it as a sum")
    func everyMinute() {
        var report = XrunReport()
        var totals: [Int] = []
        // Eight xruns a second, over ten minutes.
        for count in 1...4800 {
            report.update(count, at: 1000 + Double(count) / 8)
            if report.total != totals.last { totals.append(report.total) }
        }
        #expect(totals == [1, 481, 961, 1441, 1921, 2401, 2881, 3361, 3841, 4321])
    }

    @Test("without further ones nothing is reported, and one after a quiet time at once")
    func quiet() {
        var report = XrunReport()
        report.update(0, at: 10)
        #expect(report.total == 0)
        report.update(3, at: 20)
        report.update(3, at: 500)
        #expect(report.total == 3)
        report.update(4, at: 501)
        #expect(report.total == 4)
    }
}
