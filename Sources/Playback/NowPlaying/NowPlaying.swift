import Patches

/// The current item as shown to listeners, modelled on `MPNowPlayingInfoCenter`. Indexes count from 1, for display; with an empty queue
/// every field is empty or 0.
///
/// ``elapsed`` is valid at ``moment``: a reader shows `elapsed + (now - moment) * rate` and needs no updates in between.
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
    /// The duration in seconds; 0 means endless.
    package var duration = 0.0
    /// The position in seconds from the start of the item.
    package var elapsed = 0.0
    /// ``elapsed`` in frames, exact.
    package var frame: Int64 = 0
    package var moment = Moment(frame: 0)
    /// The speed of the timeline; 0 unless playing.
    package var rate = 0.0
    /// The speed of the timeline when it plays, also shown while it does not.
    package var defaultRate = 0.0
    package var queueIndex = 0
    package var queueCount = 0
    package var chapterIndex = 0
    package var chapterCount = 0
    package var chapterTitle = ""
    package var rating = 0.0
    package var isLiked = false
    /// Seconds until the sleep timer has faded everything out; 0 without a timer. It counts down whether something plays or not.
    package var timeToSleep = 0.0
    /// The moment at which the sleep timer ends; `nil` without one.
    package var sleepEnd: Moment?
    /// The time at which the program starts to play by itself, in seconds since 1970; `nil` if it does not.
    package var start: Double?

    package init() {}

    package init(_ state: PlayerState, at moment: Moment, start: Double? = nil) {
        self.init()
        self.moment = moment
        self.start = start
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
