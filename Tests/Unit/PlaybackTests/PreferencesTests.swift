import Observation
import Playback
import Synchronization
import Testing

@Suite("Preferences") struct PreferencesTests {
    @Test("every property of the declarations is a preference, under its own name, and has its declared default")
    func declarations() {
        let names = PreferenceDescription.all.map(\.name)
        #expect(names.contains("shortFade"))
        #expect(names.contains("shake"))
        #expect(Set(names).count == names.count)
        let preferences = Preferences()
        #expect(preferences.shortFade == 0.02)
        #expect(preferences.skipIntervals == [15, 30, 60])
        #expect(preferences.shake == .undo)
        #expect(preferences.oscPort == 7830)
        #expect(preferences.oscAddress == "127.0.0.1")
        #expect(preferences.values == PreferenceValues())
        for description in PreferenceDescription.all { #expect(preferences[name: description.name] == description.defaultValue) }
    }

    @Test("a preference that is set as a property is set by name, and vice versa")
    func assignment() {
        let preferences = Preferences()
        preferences.crossfade = 4
        #expect(preferences[name: "crossfade"] == .number(4))
        preferences[name: "shake"] = .text("next")
        #expect(preferences.shake == .next)
        preferences.skipIntervals = [5]
        #expect(preferences.assigned.chosen == ["crossfade": .number(4), "shake": .text("next"), "skipIntervals": .numbers([5])])
    }

    @Test("an observer with the Observation framework is notified of the observed preference only")
    func observation() {
        let preferences = Preferences()
        let notified = Mutex(0)
        withObservationTracking {
            _ = preferences.crossfade
        } onChange: {
            notified.withLock { $0 += 1 }
        }
        preferences.shortFade = 0.1
        #expect(notified.withLock { $0 } == 0)
        preferences.crossfade = 0.5
        #expect(notified.withLock { $0 } == 1)
    }

    @Test("a follower runs at once and after each change of what it reads, not for an equal value")
    func followers() {
        let preferences = Preferences()
        var seen: [Double] = []
        preferences.follow { seen.append(preferences.crossfade) }
        preferences.crossfade = 3
        preferences.crossfade = 3
        preferences.shortFade = 0.5
        preferences[name: "crossfade"] = .number(1)
        #expect(seen == [0, 3, 1])
    }

    @Test("replacing all values notifies the observers of those that differ; nothing counts as set by the user")
    func replaced() {
        let preferences = Preferences()
        preferences.crossfade = 3
        preferences.shortFade = 0.5
        let notified = Mutex<Set<String>>([])
        for description in PreferenceDescription.all {
            withObservationTracking {
                _ = preferences[name: description.name]
            } onChange: {
                notified.withLock { _ = $0.insert(description.name) }
            }
        }
        var (crossfades, saved) = ([Double](), [PreferenceValues]())
        preferences.follow { crossfades.append(preferences.crossfade) }
        preferences.follow { saved.append(preferences.assigned) }
        var values = PreferenceValues()
        values.shortFade = 0.5
        values.skipIntervals = [5]
        preferences.replace(with: values)
        #expect(notified.withLock { $0 } == ["crossfade", "skipIntervals"])
        #expect(preferences.values == values)
        #expect(preferences.shortFade == 0.5)
        #expect(preferences.skipIntervals == [5])
        #expect(crossfades == [3, 0])
        #expect(saved.last == PreferenceValues())
        preferences.buttonHold = 1
        #expect(saved.last?.chosen == ["buttonHold": .number(1)])
        #expect(preferences.assigned.chosen == ["buttonHold": .number(1)])
    }

    @Test("a surface is named as FeedbackPeer reads it: brackets are for IPv6 addresses only")
    func surfaces() {
        for host in ["127.0.0.1", "localhost", "[::1]"] { #expect(PreferenceText.feedback.accepts("\(host):9104=mixer"), "\(host)") }
        for host in ["[127.0.0.1]", "[localhost]", "::1", "studio", "[]"] {
            #expect(!PreferenceText.feedback.accepts("\(host):9104=mixer"), "\(host)")
        }
    }

    @Test("every shake action except none is a command")
    func shakes() {
        for action in ShakeAction.allCases { #expect((action.command(skipInterval: 15) == nil) == (action == .none)) }
        #expect(ShakeAction.skipBackward.command(skipInterval: 10) == .skipBackward(by: 10))
    }
}
