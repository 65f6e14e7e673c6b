"""Everything the server knows of a user, as a zip archive for the user."""

from __future__ import annotations

import json
from io import BytesIO
from typing import Any, Final
from zipfile import ZIP_DEFLATED, ZipFile

from omnibus.server.background import in_background
from omnibus.server.store.models import User
from omnibus.server.store.personal_data import PersonalData
from omnibus.server.tables import events
from omnibus.server.tables.events import History
from omnibus.server.tables.record_of_table import record_of
from omnibus.server.tables.registry import TableRegistry

README: Final = """Your data from an Omnibus server.

data/*.json       what the server has stored about you, one file per table of its database (times: seconds since 1970)
games/*.game      the records of your finished games
records/*.game    the records you have uploaded

Other people appear with the name they use now. Secrets are left out: the keys of your devices and links, which are
stored only as hashes, and the dice of games in progress.
"""


async def archive(registry: TableRegistry, user: User) -> bytes:
    """Return the archive of a user's data."""
    data = await PersonalData(registry.table_store.database).of(user.id)
    finished = {}
    for entry in await registry.table_store.ended_entries(user.id):
        stored = [events.read(body) for _, body, _ in await registry.table_store.events(entry.setup.id)]
        reveal = not await registry.keeps_seed(entry.setup.id)
        finished[f"{entry.setup.game}-{entry.setup.id}"] = record_of(entry.setup, History.of(stored), reveal=reveal)
    return await in_background(_packed, data, finished)


def _packed(data: dict[str, list[dict[str, Any]]], finished: dict[str, str]) -> bytes:
    packed = BytesIO()
    with ZipFile(packed, "w", ZIP_DEFLATED) as file:
        file.writestr("README.txt", README)
        for name, rows in data.items():
            if name == "records":
                for row in rows:
                    file.writestr(f"records/{row['id']}.game", row["text"])
            else:
                file.writestr(f"data/{name}.json", json.dumps(rows, ensure_ascii=False, indent=2) + "\n")
        for name, text in finished.items():
            file.writestr(f"games/{name}.game", text)
    return packed.getvalue()
