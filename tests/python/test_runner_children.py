# SPDX-License-Identifier: BSD-3-Clause
"""Children of ``python -m pdump``: at its end no store is left but of those that
still run, and these are told."""

import os
import re
import subprocess
import sys

import pytest

from runner_kit import wait_for_end_of

METHODS = ["fork", "spawn", "forkserver"]


@pytest.mark.parametrize("method", METHODS)
def test_ended_children_leave_nothing(tool, method):
    tool.run(f"""
        import multiprocessing, os, time
        from concurrent.futures import ProcessPoolExecutor

        def work(n=0):
            return n

        def leave():
            work()
            os._exit(3)

        def stay(event):
            work()
            event.set()
            time.sleep(600)

        def end(context, how):
            event = context.Event()
            child = context.Process(target=stay, args=(event,))
            child.start()
            event.wait(600)
            getattr(child, how)()
            child.join()

        if __name__ == "__main__":
            context = multiprocessing.get_context("{method}")
            for target in work, leave:
                child = context.Process(target=target)
                child.start()
                child.join()
            end(context, "terminate")
            end(context, "kill")
            with ProcessPoolExecutor(1, mp_context=context) as pool:
                list(pool.map(work, range(3)))
    """, timeout=300)
    assert tool.stores() == []
    assert tool.dump().count("__main__:work") == 4 + 3


@pytest.mark.parametrize("method", METHODS)
def test_child_that_outlives_the_run_is_told(tool, method):
    read, write = os.pipe()
    script = tool.write(f"""
        import multiprocessing, os

        def stay(path, event):
            file = open(path)
            os.setsid()
            event.set()
            file.read()
            os._exit(0)

        if __name__ == "__main__":
            context = multiprocessing.get_context("{method}")
            event = context.Event()
            child = context.Process(
                target=stay, args=("/proc/{os.getpid()}/fd/{read}", event))
            child.start()
            event.wait(600)
            print(child.pid, flush=True)
            multiprocessing.process._children.discard(child)
    """)
    # Into files: helpers of the child keep what they inherited open.
    with open(tool.folder / "out", "w") as out, \
            open(tool.folder / "err", "w") as err:
        subprocess.run([sys.executable, "-m", "pdump", script],
                       cwd=tool.folder, env=tool.env, stdout=out, stderr=err,
                       check=True, timeout=300)
    told = (tool.folder / "err").read_text()
    assert "1 process of the run is still running" in told
    assert told.count("\n") == 1
    [store] = tool.stores()
    pattern = re.search(r"pdump recover (\S+)", told).group(1)
    os.close(write)
    os.close(read)
    wait_for_end_of(int((tool.folder / "out").read_text()))
    command = os.environ.get("PDUMP_COMMAND")
    if not command:
        return
    found = subprocess.run(f"'{command}' recover -o left {pattern}",
                           shell=True, cwd=tool.folder, env=tool.env,
                           text=True, capture_output=True, timeout=300)
    assert found.returncode == 0, found.stderr
    assert store in found.stdout
    assert tool.stores() == []
