# SPDX-License-Identifier: BSD-3-Clause
"""What a tree shows at first: as libpdump/report/view/view_fold.c does it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .tree import Node, Tree

#: Percent of the time, below which nodes are left out if there are many.
LEAST = 0.5
MANY = 40

#: Modules that run the user's code or find its modules; the shells work with
#: libraries for themselves, too.
_SHELLS = ("IPython", "ipykernel", "traitlets")
_RUNNERS = (*_SHELLS, "runpy", "pdump", "importlib", "_frozen_importlib",
            "zipimport", "_distutils_hack")


def _is_of(node: Node, modules: tuple[str, ...]) -> bool:
    if not node.file.endswith(".py") and not node.file.startswith("<frozen "):
        return False
    return any(node.name.startswith(module)
               and node.name[len(module):len(module) + 1] in (":", ".", "_")
               for module in modules)


def _is_of_library(node: Node) -> bool:
    return node.file.startswith("<frozen ") or any(
        part in node.file
        for part in ("/lib/python", "/lib64/python", "-packages/"))


def _unfolded(tree: Tree) -> list[tuple[int, Node]]:
    """All but the frames of runners, and what is in imports of libraries."""
    found: list[tuple[int, Node]] = []
    left = [(node, 0, False) for node in reversed(tree.children.values())]
    while left:
        node, depth, is_in_shell = left.pop()
        is_shell = _is_of(node, _SHELLS) or \
            is_in_shell and _is_of_library(node)
        is_runner = is_shell or _is_of(node, _RUNNERS)
        is_import = depth > 0 and node.name.endswith(":<module>") \
            and _is_of_library(node)
        if not is_runner:
            found.append((depth, node))
        if is_runner or not is_import:
            left += [(child, depth + (not is_runner), is_shell)
                     for child in reversed(node.children.values())]
    return found


def brief(tree: Tree) -> tuple[list[tuple[int, Node]], int]:
    """The nodes that are shown with their depths, and how many are not."""
    everything = list(tree.walk())
    plain = _unfolded(tree)
    total = sum(node.time for node in tree.children.values())
    if len(plain) > MANY:
        plain = [(depth, node) for depth, node in plain
                 if total <= 0 or 100 * node.time >= LEAST * total]
    if not plain or len(everything) - len(plain) < 2:
        return everything, 0  # the hint would take the place of one
    return plain, len(everything) - len(plain)
