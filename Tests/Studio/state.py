"""All that a program can be asked over OSC and that stays as it is, to be compared before and after."""
from peer import Missing

# What goes on by itself, counts what happened, or concerns the peer that asks.
MOVES = {"now/elapsed", "now/frame", "position", "position/norm", "now/norm", "now/tick", "now/text", "meter", "status", "clock",
         "lifecycle", "log", "session/dirty", "bundles", "info", "ping", "ramp/done", "replies", "progress"}


def readable(peer):
    """The paths of everything that can be read and stays as it is."""
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
    """What they are; once more for an answer that was lost: UDP promises nothing."""
    values = {}
    for path in paths:
        for attempt in range(5):
            try:
                since = peer.mark
                peer.send(path)
                values[path] = peer.wait(path, since=since, patience=5).values
                break
            except Missing:
                assert attempt < 4, f"{path} is not answered"
    return values


def same(before, after):
    """That nothing has changed, bit for bit."""
    changed = {path: (value, after[path]) for path, value in before.items() if repr(value) != repr(after[path])}
    assert not changed, f"of the state this was and is another: {changed}"
