/// Times of day as people write them: `22:00`, `6:30`, `22:00:30`.
package enum TimeOfDayText {
    /// Seconds after midnight, below ``Patch/day``; `nil` if `text` is not a time of day.
    ///
    /// It may be `h:mm` or `h:mm:ss`, with optional decimals of the second; the hour is 0 to 23, minutes and seconds have two digits below
    /// 60. A plain number is seconds after midnight, except for 1 to 23, which looks like an hour and would be a few seconds.
    package static func parse(_ text: String) -> Double? {
        let fields = text.split(separator: ":", omittingEmptySubsequences: false)
        guard fields.count > 1 else {
            guard let seconds = NumberText.parse(text), seconds >= 0, seconds < Patch.day, !isHour(seconds) else { return nil }
            return seconds
        }
        guard fields.count <= 3, fields[0].utf8.count <= 2, fields.count == 3 || !text.contains(".") else { return nil }
        let hours = fields.count == 2 ? text + ":00" : text
        guard let seconds = DurationText.parse(hours), seconds < Patch.day else { return nil }
        return seconds
    }

    /// `h:mm:ss`, with decimals if there is a fraction; ``parse(_:)`` returns the same number, as earlier versions do.
    package static func string(from seconds: Double) -> String {
        let text = DurationText.string(from: seconds)
        let fields = text.split(separator: ":")
        return fields.count == 2 ? "0:" + (fields[0].utf8.count < 2 ? "0" : "") + text : text
    }

    /// A correction of an invalid `text`, such as `22`, `22h`, `9 pm`, `6:5`, or `90:00`, which earlier versions read as minutes and
    /// seconds; `nil` if no correction is found.
    package static func suggestion(for text: String) -> String? {
        var compact = text.lowercased().filter { $0 != " " }
        var afternoon = 0
        for (suffix, hours) in [("am", 0), ("pm", 12), ("h", 0)] where compact.hasSuffix(suffix) {
            compact.removeLast(suffix.count)
            afternoon = hours
        }
        var fields = compact.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard (1...3).contains(fields.count), let hour = Int(fields[0]), hour >= 0, fields[0].utf8.count <= 4 else { return nil }
        for index in fields.indices.dropFirst() where fields[index].utf8.count == 1 { fields[index] = "0" + fields[index] }
        if fields.count == 1 { fields.append("00") }
        if hour < 24 {
            fields[0] = String(afternoon > 0 && hour < 12 ? hour + afternoon : hour)
        } else if fields.count == 2 {
            fields = [String(hour / 60), hour % 60 < 10 ? "0\(hour % 60)" : String(hour % 60), fields[1]]
        }
        let meant = fields.joined(separator: ":")
        return meant != text && parse(meant) != nil ? meant : nil
    }

    private static func isHour(_ number: Double) -> Bool { number >= 1 && number < 24 }
}
