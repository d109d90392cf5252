# SPDX-License-Identifier: BSD-3-Clause
"""Compare what our Fortran wrappers take with the MPI's own Fortran interface.

    interfaces.py LIST TABLE MPI.mod MPI_F08.mod

LIST is what generate.awk prints, the modules are gfortran's, which are text.
Each wrapper must have as many arguments as the subroutine in the module, and
each of them must be of the kind that C's argument stands for and that the words
of calls.txt take it for.  What differs is printed.

TABLE is written: "SYMBOL LENGTHS KIND..." of each subroutine of the modules that
we stand in front of, for poisoned.c.
"""

import gzip
import re
import sys


def parse(path):
    """The symbols of a module: number -> (name, what gfortran knows of it)."""
    with gzip.open(path, "rt") as file:
        text = file.read().split("\n", 1)[1]
    stack = [[]]
    for token in re.findall(r"'(?:[^']|'')*'|[()]|[^\s()']+", text):
        if token == "(":
            stack.append([])
        elif token == ")":
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(token)
    # The list of symbols: number, name, module, label, scope, description.
    symbols = next(part for part in reversed(stack[0])
                   if len(part) > 6 and isinstance(part[5], list))
    return {number: (name.strip("'").lower(), description) for number, name, \
            description in zip(symbols[::6], symbols[1::6], symbols[5::6])}


NO_ARGUMENT_CHECK = 32  # an attribute: any buffer may be given


def kind_of(symbols, number):
    """"integer4", "logical4[]", "mpi_comm", "character", "buffer" ..."""
    attributes, _, of_type, _, _, _, shape = symbols[number][1][:7]
    base, size = of_type[0].lower(), of_type[1]
    if attributes[0] == "PROCEDURE":
        return "procedure"
    if base == "assumed" or int(attributes[5]) & NO_ARGUMENT_CHECK:
        return "descriptor" if "ASSUMED_RANK" in shape else "buffer"
    if base == "derived":
        base = symbols[size][0]
    elif base != "character":
        base += size
    return base + ("[]" if shape else "")


def interfaces(path):
    """Subroutine -> the kinds of its arguments."""
    symbols = parse(path)
    return {name: [kind_of(symbols, argument) for argument in description[5]]
            for name, description in symbols.values()
            if description[0][0] == "PROCEDURE" and description[5] and
            "SUBROUTINE" in description[0] and "DUMMY" not in description[0]}


def plain(kind):
    return kind.replace("[]", "")


# MPI-1's addresses are of the default kind.
OLD = re.compile("mpi_(address|attr_|errhandler_(create|get|set)$|keyval|"
                 "type_(extent|hindexed|hvector|lb|struct|ub)$)")


def base_of(in_c):
    """"const MPI_Datatype p3[]" as "MPI_Datatype"."""
    return re.sub(r"\bconst\b|\bp\d+|\[\d*\]|[*\s]", "", in_c)


def fits_c(in_c, kind, name, language):
    """Is this what an argument of that type in C is in Fortran?"""
    base = base_of(in_c)
    kind = plain(kind)
    if base == "int":
        return kind in ("integer4", "logical4")
    if base == "char":
        return kind == "character"
    if base == "void":  # also addresses and attributes, which are numbers
        return kind in ("buffer", "descriptor", "c_ptr", "integer8") or (
            kind == "integer4" and OLD.match(name) is not None)
    if base.endswith(("_function", "_fn")):
        return kind == "procedure" or OLD.match(name) is not None
    if base in ("MPI_Aint", "MPI_Offset", "MPI_Count"):
        return kind == "integer8" or (kind == "integer4" and
                                      OLD.match(name) is not None)
    return kind == ("integer4" if language == "F77" else base.lower())


HANDLES = {"comm": "mpi_comm", "win": "mpi_win", "op": "mpi_op",
           "message": "mpi_message", "request": "mpi_request",
           "start": "mpi_request", "init": "mpi_request",
           "status": "mpi_status"}
NUMBERS = ("root", "to", "from", "source", "parts", "n", "index", "n_done")


def wanted(word, is_large):
    """(argument, kind that we read it as) of a word of calls.txt."""
    key, _, value = word.partition("=")
    key = key.split(":")[-1]
    numbers = [int(n) for n in value.split(",") if n]
    side = re.match(r"(in|out)(_(\w+))?$", key)
    if side:
        shape = side.group(3)
        count = "integer8" if is_large else "integer4"
        is_list = shape in ("list", "types", "sum", "mine")
        yield numbers[0], count + ("[]" if is_list else "")
        yield numbers[1], "mpi_datatype" + ("[]" if shape == "types" else "")
    elif key in HANDLES:
        yield numbers[0], HANDLES[key]
    elif key in NUMBERS:
        yield numbers[0], "integer4"
    elif key == "flag":
        yield numbers[0], "logical4"
    elif key == "place":
        yield numbers[0], "buffer"


def fits_word(kind, want, is_f77):
    if want == "buffer":
        return kind in ("buffer", "descriptor")
    if is_f77 and want.startswith("mpi_"):
        return plain(kind) == "integer4"
    if want.startswith(("mpi_request", "mpi_status", "integer4")) and \
            not want.endswith("[]"):
        kind = plain(kind)  # of one, or the first of many
    return kind == want


def differences(line, kinds):
    """What our wrapper does not have as the interface has it."""
    symbol, language, n, lengths, plan, in_c = line
    n_texts = sum(plain(kind) == "character" for kind in kinds)
    if len(kinds) != int(n):
        yield f"{n} arguments, not {len(kinds)}"
    if n_texts != int(lengths):
        yield f"{lengths} lengths of texts, not {n_texts}"
    if kinds[-1] != "integer4":
        yield f"the last argument is {kinds[-1]}, not ierror"
    name = symbol.rstrip("_")
    for i, (text, kind) in enumerate(zip(in_c.split("|"), kinds), 1):
        if text and not fits_c(text, kind, name, language):
            yield f"argument {i} is {kind}, in C {text}"
    words = plan.split()
    is_large = "large" in words
    for word in words:
        for i, want in wanted(word, is_large):
            if i and not (i < len(kinds) and
                          fits_word(kinds[i - 1], want, language == "F77")):
                yield f"{word}: argument {i} is not {want}"


def as_f77(kind):
    """What mpi_f08's argument is in the old bindings, passed in the same way."""
    if kind == "descriptor":
        return "buffer"
    return "integer4" if kind.startswith("mpi_") else kind


def with_handles(kinds, in_c):
    """The old bindings' integers, by the name of what they are handles of."""
    types = [base_of(text).lower() for text in in_c.split("|")] + [""]
    return [name if plain(kind) == "integer4" and name.startswith("mpi_") and
            not name.endswith(("_aint", "_offset", "_count")) else kind
            for kind, name in zip(kinds, types)] + kinds[len(types):]


# Conversions, clocks and the like, and what is no subroutine to call.
LEFT_OUT = re.compile("mpi_(sizeof.*|pcontrol|f_sync_reg|status_(c|f).*|"
                      "delete_error_.*|.*_function(_c)?|.*_fn|.*_fn_null(_c)?)"
                      "(_f08(ts)?)?$")


def kinds_of(line, old, new):
    """By the module; None if this MPI has no such subroutine."""
    symbol, language, n = line[:3]
    name = symbol.rstrip("_")
    if language != "F77":
        return new.get(name)
    if name in old:
        return old[name]
    # A module that leaves subroutines with buffers out, as MPICH's does.
    typed = new.get(name + "_f08ts") or new.get(name + "_f08")
    if typed:
        return [as_f77(kind) for kind in typed]
    # MPI-1's are in libraries, but in no module; they are only called.
    return ["integer4"] * int(n) if OLD.match(name) else None


def main():
    with open(sys.argv[1]) as file:
        lines = [line.rstrip("\n").split(";") for line in file]
    old, new = interfaces(sys.argv[3]), interfaces(sys.argv[4])
    n_compared = {"F77": 0, "F08": 0, "F08TS": 0}
    with open(sys.argv[2], "w") as table:
        for line in lines:
            kinds = kinds_of(line, old, new)
            if not kinds:
                continue
            n_compared[line[1]] += 1
            for text in differences(line, kinds):
                print(f"{line[0]}: {text}")
            n_texts = sum(plain(kind) == "character" for kind in kinds)
            table.write(f"{line[0]} {n_texts} "
                        f"{' '.join(with_handles(kinds, line[5]))}\n")
    ours = {line[0].rstrip("_") for line in lines}
    for name in sorted({*old, *new} - ours):
        if name.startswith("mpi_") and not LEFT_OUT.match(name):
            print(f"{name}: nothing stands in front of it")
    print("compared:", *(f"{k} {n}" for k, n in n_compared.items()))


main()
