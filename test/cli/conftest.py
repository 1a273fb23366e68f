# SPDX-License-Identifier: Apache-2.0 OR MIT
"""Keys and files that the tests of the command share."""

import pytest
from command import CHUNK, Keys, drawn, well


@pytest.fixture(scope="session")
def keys(tmp_path_factory):
    return Keys(tmp_path_factory.mktemp("keys"))


@pytest.fixture(scope="session")
def long(keys):
    """A plaintext of five chunks and a bit, and its files."""
    text = drawn(5 * CHUNK + 1000)
    return text, {c: well("enc", "-q", "-c", c, "-k", keys.path[c], input=text) for c in ("lea256", "aria128", "hight")}
