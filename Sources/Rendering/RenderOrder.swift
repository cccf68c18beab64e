import AudioFiles
import Engine
import Foundation
import Patches

/// The options of `render`, which determine the files to make.
package struct RenderOrder {
    let items: [RenderItem]
    package let place: RenderPlace
    let encoding: AudioFileWriter.Encoding
    /// The start in each item in seconds; `nil` is its beginning.
    let from: Double?
    /// The end in each item in seconds; `nil` is its end.
    let to: Double?
    let isLoop: Bool
    let sampleRate: Int
    let kernel: Kernel
    /// The output ceiling in dBFS.
    let ceiling: Double
    /// LUFS that every file gets; `nil` leaves it as it is.
    let loudness: Double?
    /// The parts that get files of their own.
    let split: Split?

    /// The parts of an item that get files of their own.
    package enum Split: Sendable {
        case chapters
        /// The layers before the master, beside each other.
        case layers
    }

    /// - Parameters:
    ///   - from: seconds from the start of each item; `nil` is its beginning.
    ///   - to: seconds from the start of each item; `nil` is its end.
    ///   - ceiling: dBFS
    ///   - loudness: LUFS that every file gets, or every item whose chapters are split; `nil` leaves it as it is, as for layers.
    package init(
        items: [RenderItem], place: RenderPlace, encoding: AudioFileWriter.Encoding, from: Double?, to: Double?, isLoop: Bool,
        sampleRate: Int, kernel: Kernel, ceiling: Double, loudness: Double?, split: Split? = nil
    ) {
        (self.items, self.place, self.encoding, self.from, self.to) = (items, place, encoding, from, to)
        (self.isLoop, self.sampleRate, self.kernel, self.ceiling) = (isLoop, sampleRate, kernel, ceiling)
        (self.loudness, self.split) = (loudness, split)
    }

    /// A part of a file.
    private struct Stretch {
        let item: RenderItem
        /// Frames of the item's plan.
        let range: Range<Int64>
        var remark = ""
        /// Makes the source of a part of the range, or of one layer in it.
        let source: @Sendable (Range<Int64>, _ layer: Int?) -> any RenderSource
    }

    /// The jobs, one for each file.
    ///
    /// - Throws: `RenderError` if the times are inconsistent.
    package func jobs() throws -> [RenderJob] {
        let stretches = try items.map { isLoop ? try loop(of: $0) : try part(of: $0) }
        switch split {
        case .chapters: return chapters(of: stretches)
        case .layers: return stems(of: stretches)
        case nil: break
        }
        if place.isFolder {
            return stretches.enumerated().map { index, stretch in
                let output = place.file(index + 1, of: items.count, titled: stretch.item.title, encoding.format)
                var details = details(of: stretch)
                details.track = .init(number: index + 1, total: stretches.count)
                return job(output, [stretch], details)
            }
        }
        guard stretches.count > 1 else { return [job(place.path, stretches, details(of: stretches[0]))] }
        guard !isLoop else {
            throw RenderError(.usage, "A loop has only one item: give --output a folder, and each item becomes a loop of its own.")
        }
        return [job(place.path, stretches, details(ofAll: stretches))]
    }

    private func job(_ output: String, _ stretches: [Stretch], _ details: FileDetails) -> RenderJob {
        let frameCount = stretches.reduce(0) { $0 + Int64($1.range.count) }
        return RenderJob(
            output: output, stream: place.stream, encoding: encoding, details: details, sampleRate: sampleRate, frameCount: frameCount,
            remark: stretches.map(\.remark).joined(), sources: stretches.map { stretch in { stretch.source(stretch.range, nil) } },
            cover: stretches.first.map { Cover(patch: $0.item.patch) }, loudness: loudness, measuredFrames: frameCount, ceiling: ceiling)
    }

    // MARK: Chapters

    /// A file for each chapter of each item, numbered together; what is before the first chapter has a file, too.
    private func chapters(of stretches: [Stretch]) -> [RenderJob] {
        let parts = stretches.map(parts)
        let total = parts.reduce(0) { $0 + $1.count }
        var number = 0
        return zip(stretches, parts).flatMap { stretch, parts in
            let whole = MeasuredWhole([{ stretch.source(stretch.range, nil) }], frameCount: Int64(stretch.range.count))
            return parts.enumerated().map { index, part in
                number += 1
                let titled = part.title.isEmpty ? stretch.item.title + (parts.count > 1 ? ", part \(index + 1)" : "") : part.title
                var details = details(of: stretch)
                (details.title, details.chapters, details.track) = (titled, [], .init(number: number, total: total))
                if details.album.isEmpty { details.album = stretch.item.title }
                var job = job(
                    place.file(number, of: total, titled: titled, encoding.format),
                    [Stretch(item: stretch.item, range: part.range, source: stretch.source)], details)
                (job.whole, job.measuredFrames) = (whole, index == 0 ? whole.frameCount : 0)
                job.firstFrame = part.range.lowerBound - stretch.range.lowerBound
                return job
            }
        }
    }

    /// The parts into which the starts of chapters cut a stretch; a patch that repeats has its chapters in every round.
    private func parts(of stretch: Stretch) -> [(range: Range<Int64>, title: String)] {
        var cuts = [(frame: stretch.range.lowerBound, title: "")]
        search: for round in rounds(of: stretch) {
            for chapter in stretch.item.patch.chapters {
                let frame = max(round + frames(chapter.start), stretch.range.lowerBound)
                if frame >= stretch.range.upperBound { break search }
                if frame == cuts[cuts.count - 1].frame { cuts.removeLast() }
                cuts.append((frame, chapter.title))
            }
        }
        let ends = cuts.dropFirst().map(\.frame) + [stretch.range.upperBound]
        return zip(cuts, ends).map { ($0.frame..<$1, $0.title) }
    }

    // MARK: Stems

    /// A file for each layer of each item, numbered together, all of an item's as long as the item.
    private func stems(of stretches: [Stretch]) -> [RenderJob] {
        let total = stretches.reduce(0) { $0 + $1.item.patch.layers.count }
        var number = 0
        return stretches.flatMap { stretch in
            stretch.item.patch.layers.enumerated().map { index, layer in
                number += 1
                var details = details(of: stretch)
                (details.title, details.track) = (layer.name, .init(number: number, total: total))
                if details.album.isEmpty { details.album = stretch.item.title }
                let titled = stretches.count > 1 ? "\(stretch.item.title), \(layer.name)" : layer.name
                let stem = Stretch(item: stretch.item, range: stretch.range) { range, _ in stretch.source(range, index) }
                return job(place.file(number, of: total, titled: titled, encoding.format), [stem], details)
            }
        }
    }

    /// A MIDI file for each item whose layers get files.
    ///
    /// - Throws: as ``jobs()``.
    package func markers() throws -> [(path: String, file: MarkerFile)] {
        guard split == .layers else { return [] }
        return try items.enumerated().map { index, item in
            let stretch = try part(of: item)
            func seconds(_ frame: Int64) -> Double { Double(frame) / Double(sampleRate) }
            let chapters = details(of: stretch).chapters.map { (seconds: seconds($0.frame), title: $0.title) }
            let bookmarks = item.bookmarks.map(frames).filter(stretch.range.contains).map { seconds($0 - stretch.range.lowerBound) }
            let name = items.count > 1 ? "\(index + 1) \(item.title)" : item.title
            return (
                place.file(named: name, ending: "mid"), MarkerFile(title: item.title, chapters: chapters, bookmarks: bookmarks)
            )
        }
    }

    // MARK: Parts

    private func part(of item: RenderItem) throws -> Stretch {
        let plan = item.plan(sampleRate: sampleRate)
        let length = item.patch.loops ? plan.lengthInFrames : nil
        // In a looping patch, times may be beyond its end.
        func frame(_ seconds: Double) -> Int64 {
            length == nil ? plan.frame(atPosition: seconds) : frames(seconds)
        }
        guard let end = to.map(frame) ?? (length == nil ? plan.lengthInFrames : nil) else {
            let why = length == nil ? "is endless" : "loops forever"
            throw RenderError(.usage, "'\(item.title)' \(why): set the end of the file with --to, such as --to 10:00.")
        }
        // Not that of the plan, which has none beyond its end.
        let start = from.map(frames) ?? 0
        try expect(start, before: end, round: length)
        let (kernel, ceiling, sampleRate, isOneOfSeveral) = (kernel, ceiling, sampleRate, items.count > 1)
        /// The source of a range in the round that begins at a frame; the item's end is the end of the plan or of the file.
        @Sendable func source(_ range: Range<Int64>, _ layer: Int?, ofRoundAt roundStart: Int64) -> PlainSource {
            let isLast = length.map { roundStart + $0 >= end } ?? true
            // In a queue, an endless item ends with a fade, as when the listener goes to the next one.
            let cut = isLast && isOneOfSeveral ? item.ending(after: Double(end - roundStart) / Double(sampleRate)) : nil
            return PlainSource(
                cut?.plan(sampleRate: sampleRate) ?? plan, range, layer: layer, kernel: kernel, masterGain: item.masterGain,
                ceiling: ceiling)
        }
        return Stretch(item: item, range: start..<end) { range, layer in
            if let length {
                RoundSource(range, length: length) { source($0, layer, ofRoundAt: $1) }
            } else {
                source(range, layer, ofRoundAt: 0)
            }
        }
    }

    /// - Parameter round: frames after which the patch repeats.
    private func expect(_ start: Int64, before end: Int64, round: Int64? = nil) throws {
        func text(_ frames: Int64) -> String { DurationText.string(from: Double(frames) / Double(sampleRate)) }
        guard start < end else {
            let remedy = round.map { " For the next round use --to \(text(end + ((start - end) / $0 + 1) * $0))." } ?? ""
            throw RenderError(
                .usage, "There is nothing to render: --from \(text(start)) is not before the end at \(text(end)).\(remedy)")
        }
    }

    /// The default length in seconds of a loop of an endless patch.
    private static let usualLoop = 60.0
    /// Seconds of the crossfade if all phases meet, and if they do not.
    private static let (shortBlend, longBlend) = (0.1, 2.0)
    /// Seconds that a plan without a fade takes to reach its level.
    private static let beginning = 0.02

    private func loop(of item: RenderItem) throws -> Stretch {
        let endless = item.endless
        let plan = endless.plan(sampleRate: sampleRate)
        let end = to ?? item.patch.duration ?? (from ?? 0) + Self.usualLoop
        if item.patch.loops, let duration = item.patch.duration, end > duration {
            throw RenderError(
                .usage, "A loop cannot go past the end of '\(item.title)' at \(DurationText.string(from: duration)).")
        }
        try expect(frames(from ?? 0), before: frames(end))
        let start = max(frames(from ?? 0), frames(Self.beginning))
        let wanted = max(frames(end - (from ?? 0)), frames(1))
        let shortest = max(wanted - frames(60), wanted - wanted / 10)
        let seam = plan.seam(from: start, lengths: shortest...wanted, tail: frames(Self.longBlend))
        let heard = Set(item.patch.layers.indices).subtracting(item.muted)
        let crossfaded = heard.subtracting(seam.meeting).count
        let blend = min(frames(crossfaded == 0 ? Self.shortBlend : Self.longBlend), seam.frames / 4)
        let (kernel, ceiling, sampleRate) = (kernel, ceiling, sampleRate)
        var remark = ", a loop"
        if crossfaded < heard.count {
            remark += " whose phases meet within \(NumberText.string(from: (seam.error * 1e4).rounded(.up) / 1e4)) cycles"
        }
        if crossfaded > 0 {
            let seconds = NumberText.string(from: (Double(blend) / Double(sampleRate) * 100).rounded() / 100)
            remark += "; \(crossfaded) of \(heard.count) layers are crossfaded over \(seconds) s"
        }
        return Stretch(item: item, range: start..<start + seam.frames, remark: remark) { _, _ in
            LoopSource(endless, seam, from: start, blend: blend, sampleRate: sampleRate, kernel: kernel, ceiling: ceiling)
        }
    }

    // MARK: Details

    private func details(of stretch: Stretch) -> FileDetails {
        let known = stretch.item.patch.details
        var details = FileDetails(title: stretch.item.title)
        details.artist = known.artist
        details.album = stretch.item.album
        details.composer = known.composer
        details.genre = known.genre
        details.comment = known.comment
        let titled = stretch.item.patch.chapters.filter { !$0.title.isEmpty }
        // The chapter in which the file begins is its first.
        var (first, others): (FileDetails.Chapter?, [FileDetails.Chapter]) = (nil, [])
        search: for round in rounds(of: stretch) {
            for chapter in titled {
                let frame = round + frames(chapter.start) - stretch.range.lowerBound
                if frame >= stretch.range.count || others.count == Self.mostChapters { break search }
                if frame <= 0 {
                    first = FileDetails.Chapter(frame: 0, title: chapter.title)
                } else {
                    others.append(FileDetails.Chapter(frame: frame, title: chapter.title))
                }
            }
        }
        details.chapters = (first.map { [$0] } ?? []) + others
        return details
    }

    /// More chapters than any format can hold.
    private static let mostChapters = 10_000

    /// The frames at which the patch repeats, beginning one round before the file's start, since that round's last chapter may still apply
    /// there.
    private func rounds(of stretch: Stretch) -> [Int64] {
        guard stretch.item.patch.loops, let duration = stretch.item.patch.duration else { return [0] }
        let length = max(frames(duration), 1)
        let first = max(stretch.range.lowerBound / length - 1, 0) * length
        return Array(stride(from: first, to: stretch.range.upperBound, by: Int(length)).prefix(Self.mostChapters + 2))
    }

    private func frames(_ seconds: Double) -> Int64 { Int64((seconds * Double(sampleRate)).rounded()) }

    /// The details of a file of several items, which are its chapters.
    private func details(ofAll stretches: [Stretch]) -> FileDetails {
        var details = FileDetails(title: URL(filePath: place.path).deletingPathExtension().lastPathComponent)
        let artists = Set(stretches.map(\.item.patch.details.artist))
        if artists.count == 1, let artist = artists.first { details.artist = artist }
        let albums = Set(stretches.map(\.item.album))
        if albums.count == 1, let album = albums.first { details.album = album }
        var frame: Int64 = 0
        for stretch in stretches {
            details.chapters.append(.init(frame: frame, title: stretch.item.title))
            frame += Int64(stretch.range.count)
        }
        return details
    }
}
