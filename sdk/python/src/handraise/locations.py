"""Where Handraise listens, and the token that it knows this program by.

Locations come from the user database and from arguments, never from environment variables: a project's
settings can set those for the programs that an agent starts.
"""

from __future__ import annotations

import ipaddress
import json
import os
import re
import stat
import sys
from dataclasses import dataclass
from pathlib import Path

from .errors import GateUnavailableError

_TOKEN = re.compile(r"hr[qa]_([0-9a-f]{12})_[0-9a-f]+")
_MAX_FILE = 64 * 1024


class NotRunningError(GateUnavailableError):
    """Nothing says where the server is."""


@dataclass(frozen=True)
class Token:
    """A bearer token. Its text is never shown."""

    text: str
    id: str
    """The public part."""

    def __repr__(self) -> str:
        return f"Token(id={self.id!r})"


@dataclass(frozen=True)
class Target:
    """One place where the server may listen."""

    address: str
    """``IP:PORT``, or the path of the socket: what the server's proof is bound to."""
    host: str
    """For the ``Host`` header."""
    socket: str | None = None
    ip: str = ""
    port: int = 0


@dataclass(frozen=True)
class Folders:
    """The folders of a user's Handraise."""

    config: Path
    runtime: Path

    @classmethod
    def of_user(cls) -> Folders:
        """Those of the user that runs this program.

        Raises:
            GateUnavailableError: when the user database does not know the user.
        """
        if sys.platform == "win32":
            raise GateUnavailableError("Give config_dir and runtime_dir: they are not looked up on Windows.")
        import pwd

        try:
            home = Path(pwd.getpwuid(os.getuid()).pw_dir)
        except KeyError as error:
            raise GateUnavailableError(
                "This user has no entry in the user database; give config_dir and runtime_dir."
            ) from error
        return cls(config=home / ".config/handraise", runtime=_runtime(home))

    def token_file(self, name: str) -> Path:
        """The token of the requester credential called ``name``."""
        return self.config / "tokens" / f"{name}.token"

    def targets(self) -> list[Target]:
        """Where the server listens, by the discovery file: the socket first.

        Raises:
            GateUnavailableError: when no server has been started, or the file cannot be trusted.
        """
        not_running = NotRunningError("Handraise is not running. Start it, then try again.")
        text = read_private(self.runtime / "endpoint.json", missing=not_running)
        try:
            endpoint = json.loads(text)
            host, _, port = str(endpoint["address"]).rpartition(":")
            ip = ipaddress.ip_address(host.strip("[]"))
            tcp = Target(address=str(endpoint["address"]), host=str(endpoint["address"]), ip=str(ip), port=int(port))
            socket = endpoint.get("socket")
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise GateUnavailableError("The discovery file of Handraise is damaged. Restart Handraise.") from error
        # Whatever the file says: arguments never leave this machine.
        targets = [tcp] if ip.is_loopback else []
        if isinstance(socket, str):
            targets.insert(0, Target(address=socket, host="localhost", socket=socket))
        return targets


def read_token(path: Path) -> Token:
    """The token in the file at ``path``.

    Raises:
        GateUnavailableError: when there is none, or others could read it.
    """
    missing = GateUnavailableError(f"There is no token in {path}. Start Handraise once; it makes the tokens.")
    text = read_private(path, missing=missing).rstrip()
    match = _TOKEN.fullmatch(text)
    if match is None:
        raise GateUnavailableError(f"{path} does not hold a Handraise token. Delete it and restart Handraise.")
    return Token(text=text, id=match.group(1))


def read_private(path: Path, *, missing: GateUnavailableError) -> str:
    """A file that must belong to this user alone; a link is not followed.

    Raises:
        GateUnavailableError: when it is missing, a link, or open to others.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0))
    except FileNotFoundError as error:
        raise missing from error
    except OSError as error:
        raise GateUnavailableError(f"{path} cannot be read: {error.strerror}.") from error
    with os.fdopen(descriptor, "rb") as file:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise GateUnavailableError(f"{path} is no file.")
        if sys.platform != "win32" and (status.st_uid != os.getuid() or status.st_mode & 0o077):
            raise GateUnavailableError(f"{path} must belong to you and to nobody else: run chmod go= on it.")
        return file.read(_MAX_FILE).decode(errors="replace")


def _runtime(home: Path) -> Path:
    """``/run/user/UID/handraise`` where a login session has made that folder, else a folder in the home."""
    if sys.platform == "linux":
        session = Path(f"/run/user/{os.getuid()}")
        try:
            status = session.lstat()
        except OSError:
            pass
        else:
            if stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid() and not status.st_mode & 0o077:
                return session / "handraise"
    return home / ".local/share/handraise/run"
