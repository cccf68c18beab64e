/// One ear of a voice whose two tones have a layer each.
enum SequenceEar: String, CaseIterable {
    case left, right

    var pan: Double { self == .left ? -1 : 1 }

    /// The frequency of a tone in it, in Hz; below 0 it sounds as it does above.
    func frequency(of voice: SequenceVoice) -> Double { voice.carrier + (self == .left ? voice.beat : -voice.beat) / 2 }
}
