# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Sources with one planted fault."""

import shutil
from pathlib import Path


def plant(folder, name, right, wrong, files=()) -> tuple[Path, ...]:
    """Copies `files` to `folder` and replaces `right`, which must stand there once, by `wrong` in the file `name` of the
    folder. Returns the copies."""
    copies = tuple(Path(shutil.copy(path, folder)) for path in files)
    text = (folder / name).read_text()
    assert text.count(right) == 1, f"the planted fault has no place in {name} any more"
    (folder / name).write_text(text.replace(right, wrong))
    return copies
