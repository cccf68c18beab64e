import Patches

/// The parts around the panels: title, chapters and times.
struct PictureHeader {
    private let patch: Patch
    /// Texts after the length.
    private let facts: [String]
    private let palette: Palette
    private let time: TimeAxis

    init(_ patch: Patch, _ facts: [String], _ palette: Palette, _ time: TimeAxis) {
        (self.patch, self.facts, self.palette, self.time) = (patch, facts, palette, time)
    }

    private static let chapterType = Type(size: 12)
    private static let rowHeight = 18.0
    private static let rowLimit = 3

    /// - Returns: Its lower edge, in points from the top.
    func draw(on canvas: Canvas) -> Double {
        let left = time.left
        let room = canvas.width - left - 24
        let titleType = Type(size: 24, isBold: true)
        let title = patch.details.title.isEmpty ? "Untitled" : patch.details.title
        canvas.write(canvas.cut(title, to: room, titleType), at: Point(x: left, y: 44), titleType, palette.text)
        let length = patch.duration.map { DurationText.string(from: $0.rounded()) } ?? "without end"
        let facts = ([patch.details.artist, patch.details.album, patch.details.genre, length] + facts).filter { !$0.isEmpty }
            .map(\.isolated).joined(separator: "  ·  ")
        canvas.write(canvas.cut(facts, to: room, Type(size: 13)), at: Point(x: left, y: 66), Type(size: 13), palette.softText)
        var y = 76.0
        if !patch.details.comment.isEmpty {
            canvas.write(
                canvas.cut(patch.details.comment, to: room, Type(size: 13)), at: Point(x: left, y: 86), Type(size: 13), palette.softText)
            y = 96
        }
        return drawChapters(on: canvas, from: y + 6)
    }

    // MARK: Chapters

    /// Writes each title at its chapter's place, in the first row with room; without room it is cut off or left out.
    private func drawChapters(on canvas: Canvas, from top: Double) -> Double {
        let titles = arranged(on: canvas)
        let bottom = top + Double((titles.map(\.row).max() ?? -1) + 1) * Self.rowHeight
        for title in titles {
            let y = top + Double(title.row) * Self.rowHeight + 13
            canvas.line([Point(x: title.x, y: y - 11), Point(x: title.x, y: bottom)], palette.softText.covering(0.7))
            canvas.write(title.text, at: Point(x: title.x + 5, y: y), Self.chapterType, palette.text)
        }
        return titles.isEmpty ? top : bottom + 6
    }

    private func arranged(on canvas: Canvas) -> [(text: String, x: Double, row: Int)] {
        let chapters = shown
        let edge = canvas.width - 12
        var taken = [Double](repeating: time.left - 1, count: Self.rowLimit)
        var titles: [(text: String, x: Double, row: Int)] = []
        for (index, chapter) in chapters.enumerated() where !chapter.title.isEmpty {
            let x = time.x(chapter.start)
            // Its line goes down through the rows below.
            guard let row = taken.indices.first(where: { taken[$0...].allSatisfy { $0 < x } }) else { continue }
            let isLastRow = row == Self.rowLimit - 1
            let next = isLastRow && index + 1 < chapters.count ? time.x(chapters[index + 1].start) : edge
            let text = canvas.cut(chapter.title, to: min(next, edge) - x - 8, Self.chapterType)
            guard !text.isEmpty else { continue }
            taken[row] = x + canvas.width(of: text, Self.chapterType) + 14
            titles.append((text, x, row))
        }
        return titles
    }

    /// Draws a line through the panels at the start of each chapter, and a bar above them to the end of its moves.
    func drawChapterLines(on canvas: Canvas, through panels: [Area]) {
        guard let top = panels.first?.top else { return }
        for chapter in shown {
            let x = time.x(chapter.start)
            for area in panels {
                canvas.line(
                    [Point(x: x, y: area.top), Point(x: x, y: area.bottom)], palette.softText.covering(0.55), width: 0.8,
                    dashes: ([2, 3], 0))
            }
            if let over = chapter.over, !chapter.settings.isEmpty {
                canvas.fill(
                    Area(left: x, top: top - 24, right: max(x + 1, time.x(chapter.start + over) - 2), bottom: top - 21),
                    palette.softText.covering(0.45))
            }
        }
    }

    /// The chapters that begin before the end of the axis.
    private var shown: [Chapter] { patch.chapters.filter { $0.start < time.end } }

    // MARK: Times

    func drawTimes(on canvas: Canvas, under bottom: Double) {
        let type = Type(size: 11)
        let last = time.isEndless ? "without end →" : DurationText.string(from: (time.end * 10).rounded() / 10)
        let edge = time.right - canvas.width(of: last, type) / (time.isEndless ? 1 : 2) - 8
        for tick in time.ticks {
            let text = DurationText.string(from: tick)
            let x = time.x(tick)
            guard x + canvas.width(of: text, type) / 2 < edge else { break }
            canvas.line([Point(x: x, y: bottom), Point(x: x, y: bottom + 4)], palette.softText, width: 0.8)
            canvas.write(text, at: Point(x: x, y: bottom + 17), type, palette.softText, anchor: .middle)
        }
        canvas.line([Point(x: time.right, y: bottom), Point(x: time.right, y: bottom + 4)], palette.softText, width: 0.8)
        canvas.write(last, at: Point(x: time.right, y: bottom + 17), type, palette.softText, anchor: time.isEndless ? .end : .middle)
    }
}
