import Foundation
import Patches

extension TimeOfDayText {
    /// The local time of day at a time in seconds since 1970.
    package static func string(atTime time: Double) -> String {
        let parts = Calendar.current.dateComponents([.hour, .minute, .second], from: Date(timeIntervalSince1970: time))
        return string(from: Double(3600 * (parts.hour ?? 0) + 60 * (parts.minute ?? 0) + (parts.second ?? 0)))
    }
}
