"""Write what Chromium makes of each page of this folder beside it: python tests/layout/expected.py

The boxes of all elements that have an id: x, y, width, height in px in a window of 1000 x 800, scripts and network off.
"""

import json
from pathlib import Path

from playwright.sync_api import sync_playwright

FOLDER = Path(__file__).parent
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
BOXES = """() => Object.fromEntries([...document.querySelectorAll('[id]')].filter(e => e.getClientRects().length)
  .map(e => [e.id, e.getBoundingClientRect()])
  .map(([id, r]) => [id, [r.x, r.y, r.width, r.height].map(n => +n.toFixed(1))]))"""


def main() -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=ARGUMENTS)
        screen = browser.new_page(viewport={"width": 1000, "height": 800})
        screen.route("http*://**/*", lambda route: route.abort())
        for path in sorted(FOLDER.glob("*.html")):
            screen.set_content(path.read_text("utf-8"))
            boxes = screen.evaluate(BOXES)
            lines = [f"  {json.dumps(name)}: {json.dumps(box)}" for name, box in boxes.items()]
            path.with_suffix(".json").write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")
            print(path.name, len(boxes))
        browser.close()


if __name__ == "__main__":
    main()
