"""All constant values of a program that can be read over OSC, to be compared before and after."""
from servers import until

# Values that change by themselves, count events, or concern the reading peer.
MOVES = {"now/elapsed", "now/frame", "position", "position/norm", "now/norm", "now/tick", "now/text", "meter", "status", "clock",
         "lifecycle", "log", "session/dirty", "bundles", "info", "ping", "ramp/done", "replies", "progress"}


def readable(peer):
    """The paths of all readable values that are constant."""
    found, waiting = [], [""]
    while waiting:
        path = waiting.pop()
        since = peer.mark
        peer.send("describe", path)
        peer.wait("describe/end", since=since)
        for child in peer.inbox[since:]:
            if child.path == "describe" and child.values[0] != path:
                waiting.append(child.values[0])
                if "r" in child.values[2] and child.values[0] not in MOVES:
                    found.append(child.values[0])
    assert len(found) > 60, found
    return sorted(set(found))


def picture(peer, paths):
    """Reads the values, again if an answer was lost by UDP."""
    def asked(path):
        return next((answer for answer in peer.answers(path) if answer.path == path), None)

    return {path: until(f"{path} is not answered", lambda: asked(path)).values for path in paths}


def same(before, after):
    """Checks that nothing has changed, bit for bit."""
    changed = {path: (value, after[path]) for path, value in before.items() if repr(value) != repr(after[path])}
    assert not changed, f"of the state this was and is another: {changed}"
