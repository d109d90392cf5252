# SPDX-License-Identifier: BSD-3-Clause
"""Regions in generators and asynchronous functions."""

import json

from runner_kit import MEASURED

SCRIPT = "import asyncio, time, pdump\nfrom pdump import region\n"
TIMED = SCRIPT + MEASURED
CLOCK = {"PDUMP_CLOCK": "monotonic"}


def test_12_a_generator_is_charged_while_it_runs(run):
    done = run(TIMED + """
@region("gen")
def gen():
    got = yield 1
    time.sleep(0.02)
    try:
        yield got
    except KeyError as exc:
        yield exc.args[0]
    return "end"
it = gen()
with measured("gen"):
    assert next(it) == 1
time.sleep(0.2)
with measured("gen"):
    assert it.send("x") == "x"
    assert it.throw(KeyError("k")) == "k"
    try:
        next(it)
    except StopIteration as stop:
        assert stop.value == "end"
def outer():
    return (yield from gen())
with measured("gen"):
    assert list(outer()) == [1, None]
    gen().close()                    # the body never runs: no visit
    it = gen(); next(it); it.close()
import inspect
assert inspect.isgeneratorfunction(gen) and gen.__name__ == "gen"
with region("after"): pass
""", **CLOCK)
    tree = done.tree()
    assert 2 * 0.02 <= tree["gen"].time <= json.loads(done.out)["gen"]
    assert tree["gen"].visits == 4 + 3 + 2
    assert set(done.visits()) == {"gen", "after"}
    assert done.err == ""


def test_12_awaiting_is_not_charged(run):
    done = run(TIMED + """
@region("co")
async def co(n):
    time.sleep(0.01)
    await asyncio.sleep(0.1)
    return n
@region("outer")
async def outer(n):
    return await co(n)
@region("agen")
async def agen(n):
    for i in range(n):
        await asyncio.sleep(0.05)
        got = yield i
async def main():
    assert await asyncio.gather(
        *[awaited("outer", outer(n)) for n in range(5)]) == list(range(5))
    assert [i async for i in agen(2)] == [0, 1]
    it = agen(9)
    assert await it.__anext__() == 0
    await it.aclose()
    try:
        await asyncio.wait_for(awaited("outer", outer(1)), 0.001)
    except asyncio.TimeoutError:
        pass
    else:
        assert False
asyncio.run(awaited("main", main()))
import inspect
assert inspect.iscoroutinefunction(co) and inspect.isasyncgenfunction(agen)
with region("after"): pass
""", **CLOCK)
    tree = done.tree()
    assert set(done.visits()) == {"outer", "outer/co", "agen", "after"}
    ran = json.loads(done.out)
    assert 5 * 0.01 <= tree["outer"].time <= ran["outer"]
    assert tree["agen"].time <= ran["main"]
    assert not any(node.is_open for _, node in tree.walk())
    assert done.err == ""


def test_an_asynchronous_generator_takes_what_is_thrown(run):
    run(SCRIPT + """
@region()
async def agen():
    try:
        yield 1
    except KeyError:
        yield 2
    got = yield 3
    yield got
async def main():
    it = agen()
    assert await it.__anext__() == 1
    assert await it.athrow(KeyError()) == 2
    assert await it.__anext__() == 3
    assert await it.asend("x") == "x"
    try:
        await it.__anext__()
    except StopAsyncIteration:
        return
    assert False
asyncio.run(main())
""")


def test_12_blocks_in_a_decorated_coroutine_are_suspended_with_it(run):
    done = run(TIMED + """
from pdump import _native
assert _native.why == "", _native.why
@region("job")
async def job(n):
    with region("block %d" % n):
        with region("inner"):
            time.sleep(0.01)
            await asyncio.sleep(0.05 * (4 - n))   # they end in reverse order
        with region("inner"):
            pass
        if n == 2:
            raise KeyError(n)
    return n
@region("gen")
def gen():
    with region("in gen"):
        yield 1
        yield 2
async def main():
    got = await asyncio.gather(*[awaited("job", job(n)) for n in range(4)],
                               return_exceptions=True)
    assert got[:2] == [0, 1] and isinstance(got[2], KeyError), got
    with region("cancelled"):
        pass
    try:
        await asyncio.wait_for(awaited("job", job(0)), 0.03)
    except asyncio.TimeoutError:
        pass
asyncio.run(main())
one, two = gen(), gen()
for _ in zip(one, two):
    with region("between"):
        pass
del one, two
with region("after"): pass
""", **CLOCK)
    visits = done.visits()
    assert {n for n in visits if "/" not in n} == {
        "job", "cancelled", "gen", "between", "after"}
    assert visits["job/block 1"] == 2 and visits["job/block 1/inner"] == 3
    tree = done.tree()
    assert 4 * 0.01 <= tree["job"].time <= json.loads(done.out)["job"]
    assert not any(node.is_open for _, node in tree.walk())
    assert done.err == ""


TURNS = TIMED + """
async def job(n):
    with region("block %d" % n):
        with region("inner"):
            time.sleep(0.01)
            await asyncio.sleep(0.02 * (n + 1))   # they end as they began
        with region("after"):
            await asyncio.sleep(0)
def gen(name):
    with region(name):
        yield
async def main():
    with region("main"):
        await asyncio.gather(*[awaited("job", job(n)) for n in range(4)])
asyncio.run(main())
one, two, three = gen("one"), gen("two"), gen("three")
for each in one, two, three:
    next(each)
for each in two, one, three:
    list(each)
with region("last"): pass
"""


def test_12_blocks_that_nobody_suspends_stay_balanced(run):
    """In functions that are not decorated nor watched: they cannot know that
    they wait, and count from begin to end."""
    done = run(TURNS)
    assert done.err == ""
    tree = done.tree()
    assert not any(node.is_open for _, node in tree.walk())
    assert {"main", "one", "last"} <= set(tree.children)
    assert tree["last"].visits == 1 and not tree["last"].children
    flat = tree.flat()
    for name in ("block 0", "block 3", "one", "two", "three"):
        assert flat[name].visits >= 1, name
    assert flat["block 0"].sum >= 0.02e9


def test_12_the_same_blocks_are_suspended_if_functions_are_recorded(tool,
                                                                    backend):
    done = tool.run(TURNS, backend, "--include", "__main__", env=CLOCK)
    dump = tool.dump()
    assert dump.open() == []
    for n in range(4):
        assert dump.parents(f"block {n}") == {"__main__:job"}
    rows = [row for row in dump.rows if row["region"].startswith("block")]
    charged = sum(row["time"] for row in rows) / 1e9
    assert 4 * 0.01 <= charged <= json.loads(done.stdout)["job"]


def test_12_blocks_in_functions_that_are_left_out_stay_balanced(tool, backend):
    tool.run(TURNS, backend, "--include", "asyncio")
    assert tool.dump().open() == []
    assert tool.dump().count("last") == 1
