import Patches

/// What listeners are told about the current item, as `MPNowPlayingInfoCenter` has it. Indexes count from 1 because people read
/// them; with an empty queue every field is empty or 0.
///
/// ``elapsed`` was true at ``moment``: a reader shows `elapsed + (now - moment) * rate` and needs no stream.
package struct NowPlaying: Equatable, Sendable {
    package var state = PlaybackState.stopped
    package var title = ""
    package var artist = ""
    package var album = ""
    package var composer = ""
    package var genre = ""
    package var comment = ""
    package var artwork = ""
    package var id = ""
    /// Seconds; 0 is endless.
    package var duration = 0.0
    /// Seconds.
    package var elapsed = 0.0
    /// The same in frames, exact.
    package var frame: Int64 = 0
    package var moment = Moment(frame: 0)
    /// 0 unless playing.
    package var rate = 0.0
    /// At which it plays, or would.
    package var defaultRate = 0.0
    package var queueIndex = 0
    package var queueCount = 0
    package var chapterIndex = 0
    package var chapterCount = 0
    package var chapterTitle = ""
    package var rating = 0.0
    package var isLiked = false
    /// Seconds until a sleep timer has everything silent; 0 without one. A reader counts down, whether something plays or not.
    package var timeToSleep = 0.0
    /// When that is.
    package var sleepEnd: Moment?

    package init() {}

    package init(_ state: PlayerState, at moment: Moment) {
        self.init()
        self.moment = moment
        queueCount = state.items.count
        guard let index = state.currentIndex, let item = state.current else { return }
        self.state = state.playback
        queueIndex = index + 1
        id = item.reference
        title = item.title
        rating = item.rating
        isLiked = item.liked == true
        rate = state.playback == .playing ? state.rate : 0
        defaultRate = state.rate
        frame = state.position(at: moment)
        elapsed = state.elapsed(at: moment)
        timeToSleep = state.timeToSleep(at: moment)
        sleepEnd = state.sleep?.end
        guard let patch = item.patch else { return }
        artist = patch.details.artist
        album = patch.details.album
        composer = patch.details.composer
        genre = patch.details.genre
        comment = patch.details.comment
        artwork = state.artwork
        duration = patch.duration ?? 0
        chapterCount = patch.chapters.count
        if let chapter = state.chapterIndex(at: moment) {
            chapterIndex = chapter + 1
            chapterTitle = patch.chapters[chapter].title
        }
    }
}
