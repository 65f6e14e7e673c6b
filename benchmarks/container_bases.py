"""Stand-ins for the images that ours and the compose files begin with, for machines that reach no registry.

They are made with debootstrap from Debian's packages: Debian 13 with its Python 3.13, and with its PostgreSQL 17. pip
is configured in them as on this machine. `python3 benchmarks/container_bases.py docker`, as root; an image that is
there already, or can be pulled, is left alone.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from container_engine import run, succeeds

SUITE = "trixie"
PYTHON, POSTGRES = "python:3.13-slim", "postgres:17"
PACKAGES = {PYTHON: ["ca-certificates", "python3-dev", "python3-venv"], POSTGRES: ["postgresql-17"]}
CHANGES = {
    PYTHON: ["ENV PIP_CONFIG_FILE=/etc/pip.conf", 'CMD ["python3"]'],
    POSTGRES: ['ENTRYPOINT ["/start"]', "VOLUME /var/lib/postgresql/data"],
}
START = """#!/bin/sh
# What the real image does with the variables of the compose file.
set -eu
data=/var/lib/postgresql/data
programs=/usr/lib/postgresql/17/bin
host=/tmp
as_postgres() { setpriv --reuid=postgres --regid=postgres --init-groups "$@"; }
if [ ! -s $data/PG_VERSION ]; then
    chown postgres: $data
    chmod 700 $data
    echo "$POSTGRES_PASSWORD" > /tmp/password
    chmod 644 /tmp/password
    as_postgres $programs/initdb --pgdata=$data --username="$POSTGRES_USER" --pwfile=/tmp/password --auth=scram-sha-256
    rm /tmp/password
    echo "host all all all scram-sha-256" >> $data/pg_hba.conf
    here="-c listen_addresses= -c unix_socket_directories=$host"
    as_postgres $programs/pg_ctl start --wait --pgdata=$data --options="$here"
    export PGPASSWORD="$POSTGRES_PASSWORD"
    as_postgres $programs/createdb --host=$host --username="$POSTGRES_USER" "$POSTGRES_USER"
    as_postgres $programs/pg_ctl stop --wait --pgdata=$data
fi
exec setpriv --reuid=postgres --regid=postgres --init-groups $programs/postgres -D $data \\
    -c listen_addresses='*' -c unix_socket_directories=$host
"""


def make(engine: str, image: str) -> None:
    """Make a stand-in for an image."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "system"
        packages = ",".join(PACKAGES[image])
        run("debootstrap", "--variant=minbase", f"--include={packages}", SUITE, str(folder))
        for cached in (folder / "var/cache/apt/archives").glob("*.deb"):
            cached.unlink()
        if image == PYTHON:
            configure_pip(folder)
        else:
            (folder / "start").write_text(START, encoding="utf-8")
            (folder / "start").chmod(0o755)
        archive = Path(name) / "system.tar"
        run("tar", "--create", "--file", str(archive), "--directory", str(folder), ".")
        changes = [part for change in CHANGES[image] for part in ("--change", change)]
        run(engine, "import", *changes, str(archive), image)


def configure_pip(folder: Path) -> None:
    """Configure pip as on this machine, with the certificates it trusts."""
    kept = {}
    for line in run(sys.executable, "-m", "pip", "config", "list").splitlines():
        name, _, value = line.partition("=")
        key, value = name.rpartition(".")[2], value.strip("'")
        if key == "cert":
            shutil.copy(value, folder / "etc/ssl/certs/ca-certificates.crt")
            kept[key] = "/etc/ssl/certs/ca-certificates.crt"
        elif key in ("index-url", "trusted-host", "proxy", "default-timeout"):
            kept[key] = value
    lines = ["[global]", *(f"{key} = {value}" for key, value in kept.items())]
    (folder / "etc/pip.conf").write_text("\n".join(lines) + "\n", encoding="utf-8")


def main() -> int:
    """Make what is missing."""
    engine = sys.argv[1]
    for image in PACKAGES:
        if succeeds(engine, "image", "inspect", image) or succeeds(engine, "pull", image):
            print(f"{image}: there")
        else:
            make(engine, image)
            print(f"{image}: made from Debian's packages")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except subprocess.CalledProcessError as error:
        sys.exit(str(error))
