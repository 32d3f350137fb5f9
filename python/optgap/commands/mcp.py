"""The engine as tools of the Model Context Protocol, over stdio."""

from __future__ import annotations

from ..core.engine import Engine
from ..environments.mcp_server import Calls, limits_of, server
from . import Options


def run(options: Options) -> int:
    names = ("calls", "rows", "bytes", "steps", "isolation")
    given = {name: getattr(options, name) for name in names}
    if options.tools is not None:
        given["tools"] = [name.strip() for name in options.tools.split(",") if name.strip()]
    engine = Engine(options.device, options.threads)
    server(Calls(limits_of(given), engine)).run("stdio")
    return 0
