"""The panel's page as an app: its manifest, icons and theme colour."""
import json
import struct

from panel_page import becomes, open_page
from servers import until


def installable(browser, host):
    """A browser finds a manifest without faults, and icons of the sizes that it names; what it draws around the page has the page's colour."""
    page = open_page(browser, host)
    found = page.context.new_cdp_session(page).send("Page.getAppManifest")
    assert found["url"].endswith("/panel.webmanifest") and not found["errors"], found
    manifest = json.loads(found["data"])
    assert manifest["display"] == "standalone" and manifest["name"] == "Binaural", manifest
    sizes, purposes = set(), set()
    for icon in manifest["icons"]:
        answer = page.request.get(f"http://127.0.0.1:{host.port}/{icon['src']}")
        assert answer.status == 200 and answer.headers["content-type"] == icon["type"], icon
        purposes.add(icon.get("purpose", "any"))
        if icon["type"] == "image/png":
            # Width and height are in the first chunk.
            sizes.add("{}x{}".format(*struct.unpack(">II", answer.body()[16:24])))
            assert icon["sizes"] in sizes, icon
    assert sizes >= {"192x192", "512x512"} and purposes == {"any", "maskable"}, manifest
    ground = "getComputedStyle(document.body).backgroundColor"
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        colour = page.evaluate(f"document.querySelector('meta[name=theme-color][media*={scheme}]').content")
        red, green, blue = bytes.fromhex(colour[1:])
        until(f"the colour around the page is not its own in the {scheme}", lambda: page.evaluate(ground) == f"rgb({red}, {green}, {blue})")
    colours = "[...document.querySelectorAll('meta[name=theme-color]')].map(each => each.content).join()"
    usual = page.evaluate(colours)
    page.click("#moon")
    page.click("#bedtime-button")
    becomes(page, f"{colours} === '#000000,#000000'")
    page.keyboard.press("Escape")
    becomes(page, f"{colours} === '{usual}'")
    assert not page.faults, page.faults
    page.context.close()
