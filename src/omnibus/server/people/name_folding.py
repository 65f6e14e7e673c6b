"""Names that look alike are the same name: how names are compared before somebody may claim one."""

from __future__ import annotations

import unicodedata
from typing import Final

# Letters of other scripts, and digits, that are easily taken for Latin letters.
_LOOK_ALIKES: Final = str.maketrans(
    {
        **dict(zip("авекмнорстухѕіјһԁԛԝьѵ", "abekmhopctyxsijhdqwbv", strict=True)),
        **dict(zip("αβεηικμνορτυχγ", "abenikuvoptuxy", strict=True)),
        **dict(zip("01358|$@", "olesblsa", strict=True)),
        "ı": "i", "ł": "l", "ø": "o", "đ": "d", "ħ": "h", "ŧ": "t", "ß": "ss", "æ": "ae", "œ": "oe", "þ": "p", "ð": "d",
    }
)  # fmt: skip
_PAIRS: Final = (("rn", "m"), ("vv", "w"), ("cl", "d"), ("i", "l"))


def folded(name: str) -> str:
    """Return what a name is compared by; empty if nothing of it can be compared.

    Case, accents, spaces and punctuation do not count, nor does the difference between letters that look alike.
    """
    plain = unicodedata.normalize("NFKD", name).casefold()
    plain = unicodedata.normalize("NFKD", plain).translate(_LOOK_ALIKES)
    letters = "".join(letter for letter in plain if letter.isalnum())
    for pair, single in _PAIRS:
        letters = letters.replace(pair, single)
    return letters
