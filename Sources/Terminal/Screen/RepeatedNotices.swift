/// Prints each notice once, and repeated ones with a count.
struct RepeatedNotices {
    private var last: (notice: String, number: Int)?
    private var repetitions = 1

    /// The line for a picture's notice; `nil` if it was shown before.
    mutating func line(for picture: any TerminalPicture) -> String? {
        guard let notice = picture.notice else {
            last = nil
            return nil
        }
        let number = picture.noticeCount
        defer { last = (notice, number) }
        guard let last, last.notice == notice else {
            repetitions = 1
            return notice
        }
        guard number > last.number else { return nil }
        // Several may have come between two pictures.
        repetitions += number - last.number
        return "\(notice) (\(repetitions) times)"
    }
}
