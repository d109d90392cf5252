# SPDX-License-Identifier: BSD-3-Clause
"""asyncio: a task is charged for what it does, not for what it waits for."""

import asyncio

import pdump


@pdump.region("parse")
def parse(text):
    return sum(map(ord, text * 1000))


@pdump.region("job")
async def job(number):
    await asyncio.sleep(0.05)  # not in "job"
    return parse(f"text {number}")


async def main():
    return await asyncio.gather(*map(job, range(20)))


asyncio.run(main())
jobs = pdump.current().query("job")
print(f"20 jobs waited 0.05 s each and worked {jobs.sum / 1e9:.3f} s in all")
