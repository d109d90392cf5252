# SPDX-License-Identifier: BSD-3-Clause
"""Runs the first block of Python of docs/hdf5.md as it stands."""
import re
import sys

text = open(sys.argv[1]).read()
block = re.search(r"\n\n(    import .*\n(?:    .*\n)+)", text).group(1)
exec("\n".join(line[4:] for line in block.splitlines()))
