"""`optgap mcp` by the protocol's own client over stdio."""

import asyncio
import json
import pathlib
import sys

import pytest

mcp = pytest.importorskip("mcp")

import optgap  # noqa: E402
from optgap.environments.mcp_server import Calls, Limits, limits_of  # noqa: E402

KEY = "tsp@1:train:easy:1"


def talk(work, *options):
    """Starts the program, and lets `work` speak to it."""
    from mcp import ClientSession, StdioServerParameters
    from mcp.client.stdio import stdio_client

    program = str(pathlib.Path(sys.executable).parent / "optgap")

    async def main():
        server = StdioServerParameters(command=program, args=["mcp", *options])
        async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
            await session.initialize()
            return await work(session)

    return asyncio.run(asyncio.wait_for(main(), 120))


async def said(session, name, **given):
    result = await session.call_tool(name, given)
    return bool(getattr(result, "isError", getattr(result, "is_error", False))), result.content[0].text


def test_an_agent_makes_solves_and_scores():
    async def work(session):
        names = [tool.name for tool in (await session.list_tools()).tools]
        assert names == ["score", "explain", "solve", "generate", "draw"]
        wrong, text = await said(session, "generate", task="tsp", count=2, seed=1)
        (first, _) = json.loads(text)
        assert not wrong and first["key"].startswith(KEY) and "salesman" in first["prompt"]
        wrong, text = await said(session, "solve", keys=[first["key"]])
        (solved,) = json.loads(text)
        assert solved["proven"] and solved["objective"] == 361
        row = {"key": first["key"], "completion": f"<think>x</think><answer>{solved['answer']}</answer>"}
        wrong, text = await said(session, "score", rows=[row, {"key": "nope"}])
        right, broken = json.loads(text)
        assert right["reward"] == 2.0 and broken["error"]["field"]
        wrong, text = await said(session, "explain", row={**row, "completion": "no"}, level="rule")
        assert not wrong and text.startswith("The form is wrong.")
        wrong, text = await said(session, "draw", tasks=["clique"], level="easy")
        assert not wrong and json.loads(text)["key"].startswith("clique@")
        wrong, text = await said(session, "solve", keys=["tsp@1:train:easy"])
        assert wrong and text
        wrong, text = await said(session, "generate", task="tsp", count=1000)
        assert wrong and "expected 1 to 64" in text

    talk(work)


def test_limits_hold():
    async def work(session):
        assert [tool.name for tool in (await session.list_tools()).tools] == ["generate", "draw"]
        wrong, _ = await said(session, "generate", task="tsp")
        assert not wrong
        wrong, text = await said(session, "draw")
        assert wrong and "all 1 of this server are used" in text

    talk(work, "--tools", "draw,generate", "--calls", "1")


def test_settings_that_do_not_fit_are_refused():
    engine = optgap.Engine("cpu", threads=1)
    for wrong in (Limits(tools=["rm"]), Limits(tools=[])):
        with pytest.raises(optgap.Error, match="tools"):
            Calls(wrong, engine)
    with pytest.raises(optgap.Error, match="rows"):
        limits_of({"rows": 0})
    small = Calls(Limits(bytes=100), engine)
    with pytest.raises(optgap.Error, match="bytes"):
        small.score([{"key": "x" * 200}])
