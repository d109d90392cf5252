# SPDX-License-Identifier: BSD-3-Clause
"""Conformance 12: generators, asynchronous functions, exceptions."""

import json

import pytest

from pdump import _native
from runner_kit import MEASURED

pytestmark = pytest.mark.skipif(_native.module is None, reason=_native.why)


def test_12_generators(tool, backend):
    tool.run("""
        def inner():
            yield 1
            yield 2
        def outer():
            yield from inner()
        def closed():
            try:
                yield 1
                yield 2
            finally:
                cleanup()
        def thrown():
            try:
                yield 1
            except KeyError:
                cleanup()
                yield 3
        def cleanup(): pass
        def never(): yield
        list(outer())
        g = closed(); next(g); g.close()
        g = closed(); next(g); del g
        g = thrown(); next(g); g.throw(KeyError); del g
        never()
        """, backend)
    dump = tool.dump()
    assert dump.open() == []
    assert dump.count("__main__:outer") == dump.count("__main__:inner") == 3
    assert dump.count("__main__:closed") == 4
    assert dump.count("__main__:thrown") == 3  # the last is its end by del
    assert dump.count("__main__:cleanup") == 3
    assert dump.count("__main__:never") <= 1  # it is closed, before 3.12
    assert dump.parents("__main__:cleanup") == {"__main__:closed",
                                                "__main__:thrown"}
    assert dump.parents("__main__:inner") == {"__main__:outer"}


def test_12_async_functions_and_tasks(tool, backend):
    done = tool.run(MEASURED + """
import pdump
async def step(): await asyncio.sleep(0.02)
async def agen():
    for i in range(3):
        await asyncio.sleep(0)
        yield i
async def task(name):
    with pdump.region(name):
        await step()
        async for _ in agen(): pass
        used()
def used(): pass
async def main():
    await asyncio.gather(
        *[awaited(f"r{i}", task(f"r{i}")) for i in range(5)])
asyncio.run(main())
""", backend, "--include", "__main__", env={"PDUMP_CLOCK": "monotonic"})
    dump = tool.dump()
    assert dump.open() == []
    assert dump.count("__main__:used") == 5
    assert dump.parents("__main__:used") == {f"r{i}" for i in range(5)}
    # Waiting is nobody's time: each task with all that it calls has no more
    # than its steps.
    ran = json.loads(done.stdout)
    for row in dump.rows:
        if row["region"].startswith("r"):
            assert row["time"] / 1e9 <= ran[row["region"]], row
        if row["region"] == "__main__:step":
            assert row["time"] / 1e9 <= ran[row["path"].split("/")[-2]], row


def test_12_exceptions_through_frames(tool, backend):
    tool.run("""
        import pdump
        def a(n):
            if n == 0:
                raise ValueError
            with pdump.region("r"):
                a(n - 1)
        def b():
            try:
                a(3)
            except ValueError:
                after()
        def after(): pass
        for _ in range(10): b()
        """, backend)
    dump = tool.dump()
    assert dump.open() == []
    assert dump.count("__main__:a") == 40
    assert dump.count("r") == 30
    assert dump.parents("__main__:after") == {"__main__:b"}
