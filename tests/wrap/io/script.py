# SPDX-License-Identifier: BSD-3-Clause
"""Files of a Python script, in a region, for io.sh."""
import subprocess

from pdump import region

with region("phase"):
    with open("text", "w") as f:
        for _ in range(3):
            f.write("hello\n")
    with open("bytes", "wb", buffering=0) as f:
        f.write(b"x" * 1000)
        f.seek(500)
        f.write(b"y")
    with open("text") as f:
        assert f.read() == "hello\n" * 3
answer = subprocess.run(["echo", "child"], stdout=subprocess.PIPE, check=True)
assert answer.stdout == b"child\n"
print("done")
