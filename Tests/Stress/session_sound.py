"""A session manager switches while it sounds: nothing clicks, a new session is stopped, and one that was left playing resumes.

    session_sound.py PROGRAM

A tone of 200 Hz is recorded from the ports, from silence to silence; anything above 2 kHz was added by the switches. To show that a
cut would be detected, some frames of the same recording are removed. The server is named JACK_DEFAULT_SERVER; the names of the clients begin with CLIENT_NAME.
"""
import os
import sys
import threading
import time

import numpy
from clicks import LIMIT, TONE, left_out, peak_above
from nsm import NAME, Client, Manager, check, in_folder, peer_of
from disturbance import judge, undisturbed
from recording import Capture
from servers import Server, server_environment

SERVER = os.environ.get("JACK_DEFAULT_SERVER", "binaural-scenario")


def sounding(samples, silence=480):
    """The number of stretches of sound, separated by at least this many frames of silence."""
    frames = numpy.nonzero(samples.any(axis=1))[0]
    return 1 + int((numpy.diff(frames) > silence).sum()) if len(frames) else 0


def late(file):
    """Reading the file is as slow as from a disk that has to spin up."""
    file.unlink()
    os.mkfifo(file)

    def write():
        with open(file, "w") as pipe:
            time.sleep(0.2)
            pipe.write("shortFade: 0.02\n")
        file.unlink()
    threading.Thread(target=write, daemon=True).start()


def measure(path, work):
    (work / "song").mkdir()
    # The tone has its level from the first frame on.
    (work / "song/preferences.yaml").write_text("softStart: 0\n")
    (work / "tone.yaml").write_text(TONE)
    (work / "song/session.yaml").write_text(f"format: 1\nqueue:\n  - patch: {work}/tone.yaml\nstate: stopped\n")
    manager = Manager()
    client = Client(path, manager.url, work / "home")

    def opened(folder, number):
        answer = manager.open(work / folder, "Song", f"{NAME}.n{number}")
        check(answer[0] == "/reply", answer)

    try:
        manager.welcome()
        opened("song", 1)
        peer = peer_of(work / "home", f"{NAME}.n1")
        with Capture(f"timed-{NAME}", [f"{NAME}.n1:out_left", f"{NAME}.n1:out_right"], 60) as capture:
            def goes_on():
                peer.until("now/state", lambda values: values == ["playing"])
                peer.until("jack/connections", lambda values: f"timed-{NAME}:in_1" in values and f"timed-{NAME}:in_2" in values)
                capture.advance(12_000)

            capture.advance(2_000)
            check(peer.code("play") == 0)
            goes_on()
            elapsed = peer.get("now/elapsed")[0]
            # A session that was not started is silent, whatever the previous one does.
            opened("new", 2)
            check(peer.get("now/state") == ["stopped"], peer.get("now/state"))
            check("state: stopped" in saved(manager, work / "new"))
            # A resumed session plays on its own client, not on the previous one.
            for number, port in enumerate(("out_left", "out_right"), 1):
                check(peer.code("jack/connect", port, f"timed-{NAME}:in_{number}") == 0)
            late(work / "song/preferences.yaml")
            opened("song", 1)
            check(peer.get("now/elapsed")[0] >= elapsed)
            goes_on()
            # The same session under another name.
            opened("song", 3)
            goes_on()
            check(peer.code("pause") == 0)
            peer.until("now/state", lambda values: values == ["paused"])
            capture.advance(6_000)
            wave, _, xruns = capture.finish()
        client.leave()
    finally:
        client.close()
    samples = wave.samples[:, :2].astype(float)
    stretches = sounding(samples)
    judge(stretches == 3, f"it sounds {stretches} times", xruns)
    check(not samples[:480].any() and not samples[-480:].any(), "it does not begin and end in silence")
    level, planted = peak_above(2_000, samples), peak_above(2_000, left_out(samples))
    judge(level < LIMIT, f"{level:.0f} dB above 2 kHz", xruns)
    check(planted > LIMIT + 30, f"a cut is not seen: {planted:.0f} dB")
    return level, planted


def saved(manager, folder):
    check(manager.save()[0] == "/reply")
    return (folder / "session.yaml").read_text()


def main(path):
    os.environ.update(server_environment(SERVER))
    with Server(SERVER):
        level, planted = undisturbed(in_folder, measure, path)
    print(f"figure: above 2 kHz in a tone of 200 Hz while sessions are switched three times: {level:.0f} dB (with 37 frames left out "
          f"{planted:.0f} dB)")


if __name__ == "__main__":
    main(os.path.abspath(sys.argv[1]))
