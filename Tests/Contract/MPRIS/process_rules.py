"""A second instance, and Quit."""
from player import ROOT
from rule import check, needs, rule


@rule("second-instance", "Bus Name Policy", "a second instance has a bus name of its own, the first one's with a suffix")
async def second_instance(player):
    needs(player.second, "--second names no command")
    before = set(await player.names())
    first = await player.find_owner()
    process = player.second()
    try:
        async def arrived():
            return [name for name in await player.names() if name.startswith(f"{ROOT}.") and name not in before]
        names = await player.until(arrived)
        check(await player.find_owner() == first, "it takes the name of the first one")
        check(names, f"it has no name that begins with {ROOT}.; it said: {process.said()}")
        check(names[0].startswith(f"{player.name}."), f"its name is {names[0]}")
    finally:
        await process.end()


@rule("quit", "MediaPlayer2: Quit", "Quit ends the player; without effect if CanQuit is false", spoils=True)
async def quit_(player):
    needs(player.process, "the player was not started by --start")
    able = await player.get("CanQuit", ROOT)
    await player.attempt("Quit", interface=ROOT)

    async def gone():
        return await player.find_owner() is None
    if able:
        check(await player.until(gone), "CanQuit is true, and the player is still there")
    else:
        await player.rest()
        check(not await gone(), "CanQuit is false, and the player is gone")
