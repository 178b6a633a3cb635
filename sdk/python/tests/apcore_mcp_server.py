"""An MCP server of apcore-mcp on stdio, whose one module waits for an approval by Handraise."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from apcore import Executor, Registry
from apcore.decorator import module
from apcore_mcp import APCoreMCP
from apcore_mcp.adapters.approval import StorageBackedApprovalHandler

from handraise_apcore import HandraiseApprovalHandler, install
from handraise_apcore.mcp import HandraiseApprovalStore


def main() -> None:
    """Serves until the client goes. Arguments: folder of the gate, file that calls are written to, how
    it is asked: ``blocking``, ``pending`` or ``store``."""
    folder, journal, mode = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]

    def delete(name: str) -> dict[str, Any]:
        with journal.open("a") as file:
            file.write(json.dumps({"delete": name}) + "\n")
        return {"deleted": name}

    registry = Registry()
    wrapped = module(delete, id="files.delete", description="Deletes a file", annotations={"requires_approval": True})
    registry.register("files.delete", wrapped)
    places: dict[str, Any] = {"config_dir": folder / "config", "runtime_dir": folder / "run"}
    store = HandraiseApprovalStore(**places) if mode == "store" else None
    handler: Any
    if store is not None:
        handler = StorageBackedApprovalHandler(store)
    else:
        handler = HandraiseApprovalHandler(pending=mode == "pending", **places)
    executor = Executor(registry)
    install(executor, handler)
    APCoreMCP(executor, approval_handler=handler, approval_store=store).serve(transport="stdio")


main()
