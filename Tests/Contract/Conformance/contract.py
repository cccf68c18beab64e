"""The addresses of the contract, copied by hand from its page, not from the program: an address that both lack would otherwise go unnoticed.

Each address has its uses: r is a get, w a set or a command.
"""

COMMANDS = """play pause toggle stop next previous queue/next queue/previous skip/forward skip/backward skip/by seek/forward seek/backward position
position/norm rate repeat shuffle rating like dislike bookmark button shake panic undo redo""".split()

PROPERTIES = "position position/norm rate rate/norm repeat shuffle rating rating/norm like dislike bookmark".split()

PARAMETERS = "carrier beat phase gain pan width pulseRate duty edge depth decay delay correlation attack release".split()

NOW = """state title artist album composer genre comment artwork id track disc duration elapsed frame rate rate/default queue chapter rating
liked start tick norm text""".split()

ADDRESSES = {
    # Conversation
    "ping": "w", "info": "r", "status": "r", "sync": "w", "clock": "w", "hello": "w", "subscribe": "w", "unsubscribe": "w", "describe": "w",
    "replies": "rw", "ramp/id": "w", "peer/list": "w", "accxyz": "w",
    # Commands
    **{command: "w" for command in COMMANDS}, **{f"{command}/enabled": "r" for command in COMMANDS}, **{path: "rw" for path in PROPERTIES},
    "skip/intervals": "r", "rate/range": "r", "undo/depth": "r",
    # Now playing
    **{f"now/{name}": "r" for name in NOW},
    # Sound
    "chapter/starts": "r", "chapter/list": "w", "chapter/select": "w", "bookmark/list": "w", "layer/count": "r", "layer/select": "rw", "layer/N/name": "r", "layer/N/kind": "r", "layer/N/note": "w", "layer/N/wave": "rw",
    "course/place/list": "w", "course/point/list": "w", "course/start": "w", "course/over": "w", "course/value": "w", "course/reset": "w",
    "course/revision": "r",
    "layer/N/mute": "rw", "layer/N/solo": "rw", "layer/N/edited": "r", "layer/N/xy": "w", "layer/N/reset": "w", "queue/reset": "w", "queue/relink": "w",
    **{f"layer/N/{name}{twin}": "rw" for name in PARAMETERS for twin in ("", "/norm")},
    **{f"touch/layer/N/{name}": "rw" for name in PARAMETERS}, "touch/master/gain": "rw", "touch/mode": "rw",
    "master/gain": "rw", "master/gain/norm": "rw", "master/mute": "rw", "master/fade": "w", "tuning/a4": "rw", "tuning/a4/norm": "rw",
    "meter": "r",
    # Queue, presets, session, JACK
    "patch/save": "w", "patch/list": "w",
    **{f"queue/{verb}": "w" for verb in ("list", "select", "play", "add", "remove", "restore", "move")},
    **{f"preset/{verb}": "w" for verb in ("list", "save", "load", "remove")},
    **{f"session/{verb}": "w" for verb in ("list", "load", "save")}, "session/dirty": "r", "session/name": "r",
    "preferences/shake": "rw", "preferences/skipIntervals": "rw",
    "transport/mode": "rw", "jack/state": "r", "jack/reconnect": "w", "jack/connections": "r", "jack/connect": "w", "jack/disconnect": "w", "jack/forget": "w", "lifecycle": "r", "quit": "w",
}
