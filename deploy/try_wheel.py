"""Try an installed PARCELS as a user does: `parcels extract` and `parcels blocks`, and that nothing runs interpreted.

Usage: python deploy/try_wheel.py, with the Python of the environment; standard library only.
"""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

STORY = "The old pier burnt down last night, and nobody was hurt, the fire brigade said on Tuesday morning."
PAGE = f"<title>Pier burns down</title><h1>Pier burns down</h1><p>By Ann Lee</p>{f'<p>{STORY}</p>' * 4}"


def main() -> int:
    """Run the commands; returns 0 where they print what they should."""
    scripts = Path(sysconfig.get_path("scripts"))
    environ = os.environ | {"PATH": str(scripts), "PARCELS_CONFIG": "none", "PYTHONWARNINGS": "error"}
    environ.pop("PYTHONPATH", None)
    for name in ("cc", "gcc", "clang", "cl"):
        assert shutil.which(name, path=str(scripts)) is None, f"{name} is in {scripts}"
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "page.html"
        page.write_text(PAGE, encoding="utf-8")

        def parcels(*words: str) -> str:
            command = [str(scripts / "parcels"), *words]
            done = subprocess.run(command, cwd=folder, env=environ, capture_output=True, text=True, check=False)
            assert done.returncode == 0, f"{words}: {done.stderr}"
            assert not done.stderr, f"{words}: {done.stderr}"
            return done.stdout

        article = json.loads(parcels("extract", str(page)))
        assert (article["title"], article["authors"]) == ("Pier burns down", ["Ann Lee"]), article
        assert STORY in article["text"], article
        blocks = json.loads(parcels("blocks", str(page)))["blocks"]
        assert {"title", "maincontent"} <= {block["label"] for block in blocks}, blocks
        parts = {part["name"]: part for part in json.loads(parcels("doctor", "--json"))["parts"]}
        assert parts["compiled"]["status"] == "ok", parts["compiled"]
    print(f"parcels works in {sys.prefix}: {parts['compiled']['note']} compiled")
    return 0


if __name__ == "__main__":
    sys.exit(main())
