# SPDX-License-Identifier: BSD-3-Clause
# Writes the functions that stand in front of MPI's.
#   $(CC) -E -P mpi.h | awk -f generate.awk calls.txt - >wrappers.c
# C functions that this mpi.h declares, with the arguments that it gives them; and
# all Fortran names of these and of MPI-1's, as Fortran's libraries may be there
# or not, and may have what C has no more.

FILENAME != "-" {
    if ($0 ~ /^#/ || NF == 0)
        next
    name = $1
    has_large = sub(/\[_c\]$/, "", name)
    kind[name] = $2
    words = ""
    for (i = 3; i <= NF; i++)
        words = words " " $i
    plan[name] = words
    if (words == "" && $2 != "none")
        known[n_known++] = name
    if (has_large) {
        kind[name "_c"] = $2
        plan[name "_c"] = words " large"
    }
    next
}

# A statement may have many lines, and a line many statements.
{
    line = $0
    gsub(/[ \t]+/, " ", line)
    statement = statement " " line
    while ((at = index(statement, ";")) > 0) {
        take(substr(statement, 1, at - 1))
        statement = substr(statement, at + 1)
    }
}

END {
    if (n_functions == 0)
        exit 1
    n_in_c = n_functions
    for (i = 0; i < n_known; i++)
        if (!(known[i] in n_arguments)) {
            functions[n_functions++] = known[i]
            n_arguments[known[i]] = 12 # more than any of them has
            n_texts[known[i]] = 0
        }
    write_all()
}

# Cut __attribute__((...)) out.
function plain(text,    at, i, depth, c) {
    while ((at = index(text, "__attribute__")) > 0) {
        depth = 0
        for (i = at + 13; i <= length(text); i++) {
            c = substr(text, i, 1)
            if (c == "(")
                depth++
            else if (c == ")" && --depth == 0)
                break
        }
        text = substr(text, 1, at - 1) substr(text, i + 1)
    }
    return text
}

# A prototype: remember it.
function take(text,    name, head, arguments) {
    if (text ~ /typedef|[{}=]/)
        return
    text = plain(text)
    if (!match(text, /[ *]MPI_[A-Za-z0-9_]+ ?\(/))
        return
    name = substr(text, RSTART + 1, RLENGTH - 2)
    sub(/ $/, "", name)
    head = substr(text, 1, RSTART)
    arguments = substr(text, RSTART + RLENGTH)
    sub(/\)[^)]*$/, "", arguments)
    if (!(name in kind) || (kind[name] != "none" && head !~ /(^| )int $/)) {
        # Of an MPI that is newer than we are.
        print name " is not in calls.txt: it will not be recorded" > "/dev/stderr"
    } else if (kind[name] != "none" && !(name in n_arguments)) {
        functions[n_functions++] = name
        split_arguments(name, arguments)
    }
}

function split_arguments(name, text,    i, c, depth, n, one) {
    gsub(/^ +| +$/, "", text)
    n = 0
    n_texts[name] = 0
    if (text != "void" && text != "") {
        text = text ","
        for (i = 1; i <= length(text); i++) {
            c = substr(text, i, 1)
            depth += (c == "(") - (c == ")")
            if (c == "," && depth == 0) {
                argument[name, ++n] = rename(one, n)
                n_texts[name] += one ~ /(^|[ *])char[ *]/
                one = ""
            } else {
                one = one c
            }
        }
    }
    n_arguments[name] = n
}

# "const int counts[]" as "const int p3[]"
function rename(text, n,    tail, at) {
    gsub(/^ +| +$/, "", text)
    if ((at = index(text, "[")) > 0) {
        tail = substr(text, at)
        text = substr(text, 1, at - 1)
    }
    sub(/ *$/, "", text)
    if (text ~ /[A-Za-z0-9_][ *]+[A-Za-z0-9_]+$/)
        sub(/[A-Za-z0-9_]+$/, "", text)
    return text " p" n tail
}

function list(n, head,    i, text) {
    for (i = 1; i <= n; i++)
        text = text (i > 1 ? ", " : "") head i
    return text
}

function upper_class(name) {
    return "PDUMP_MPI_" toupper(kind[name])
}

# The words of calls.txt as initialisers.
function initialisers(name,    n, i, words, word, side, pair, value, when, text) {
    n = split(plan[name], words, " ")
    for (i = 1; i <= n; i++) {
        word = words[i]
        value = word
        when = "ALWAYS"
        if (sub(/^root:/, "", word))
            when = "ROOT"
        else if (sub(/^other:/, "", word))
            when = "OTHER"
        sub(/=.*/, "", word)
        sub(/^[^=]*=/, "", value)
        if (word ~ /^(in|out)(_|$)/) {
            side = word
            sub(/_.*/, "", side)
            shape = word
            if (!sub(/^[a-z]*_/, "", shape))
                shape = "once"
            split(value, pair, ",")
            text = text sprintf(" .%s = { PDUMP_%s, PDUMP_%s, %d, %d },", \
                side, toupper(shape), when, pair[1], pair[2])
        } else if (word ~ /^(large|neighbours|reads)$/) {
            text = text " .is_" word " = true,"
        } else if (words[i] !~ /=/) {
            text = text " .kind = PDUMP_CALL_" toupper(word) ","
        } else {
            text = text " ." word " = " value ","
        }
    }
    return text
}

function write_table(    i, name) {
    print "struct pdump_function pdump_functions[] = {"
    for (i = 0; i < n_functions; i++) {
        name = functions[i]
        printf "    { .callee = { .name = \"%s\", .group = PDUMP_GROUP_MPI },\n" \
            "      .kind = %s,\n      .plan = {%s } },\n", \
            name, upper_class(name), initialisers(name)
    }
    print "};\nconst int pdump_n_functions = " n_functions ";\n"
}

# What MPI is given: the words, one of which may be ours now.  They are in memory
# anyway, so that nothing has to be kept in registers.
function value_of(name, i) {
    # These may be wider than a word.
    if (plan[name] == "" || argument[name, i] ~ /MPI_(Offset|Count) +p/)
        return "p" i
    return "(__typeof__(p" i "))a[" i - 1 "]"
}

function write_c(number, name,    i, n, parameters, values, words) {
    n = n_arguments[name]
    for (i = 1; i <= n; i++) {
        parameters = parameters (i > 1 ? ", " : "") argument[name, i]
        values = values (i > 1 ? ", " : "") value_of(name, i)
        words = words (i > 1 ? ", " : "") "(uintptr_t)p" i
    }
    printf "PDUMP_API int %s(%s)\n{\n", name, n ? parameters : "void"
    if (plan[name] != "")
        printf "    uintptr_t a[] = { %s };\n", words
    printf "    struct pdump_mpi_call LEFT call;\n    int code;\n\n"
    printf "    pdump_calls_enter(&call, &pdump_functions[%d], %s, PDUMP_C, HERE, FRAME);\n", \
        number, plan[name] != "" ? "a" : "NULL"
    printf "    code = P%s(%s);\n", name, values
    printf "    return pdump_calls_leave(&call, code);\n}\n\n"
}

function write_fortran(number, name,    n, n_words, parameters) {
    n = n_arguments[name]
    n_words = n + 1 + n_texts[name]
    parameters = list(n_words, "uintptr_t p")
    printf "static void fortran_%d(enum pdump_language language, " \
        "pdump_routine *routine, const void *site, %s)\n{\n", number, parameters
    printf "    uintptr_t a[] = { %s };\n", list(n_words, "p")
    printf "    struct pdump_mpi_call LEFT call;\n"
    if (plan[name] != "")
        printf "    MPI_Fint code;\n\n    if (!a[%d])\n        a[%d] = (uintptr_t)&code;\n", \
            n, n
    printf "    call.routine = routine;\n"
    printf "    pdump_calls_enter(&call, &pdump_functions[%d], a, language, site, FRAME);\n", \
        number
    printf "    ((void (*)(%s))routine)(%s);\n", list_of("uintptr_t", n_words), \
        elements(n_words)
    printf "    pdump_calls_leave(&call, %s);\n}\n\n", \
        plan[name] != "" ? "*(const MPI_Fint *)a[" n "]" : "MPI_SUCCESS"
    write_names(number, name, n_words)
}

function list_of(text, n,    i, all) {
    for (i = 1; i <= n; i++)
        all = all (i > 1 ? ", " : "") text
    return all
}

function elements(n,    i, all) {
    for (i = 0; i < n; i++)
        all = all (i ? ", " : "") "a[" i "]"
    return all
}

function write_names(number, name, n_words,    small) {
    small = tolower(name)
    if (sub(/_c$/, "", small)) {
        write_name(number, small "_f08_large_", "F08", n_words)
        write_name(number, small "_f08ts_large_", "F08TS", n_words)
        return
    }
    write_name(number, small "_", "F77", n_words)
    printf "ALIAS(%s, %s_)\nALIAS(%s__, %s_)\nALIAS(%s, %s_)\n\n", \
        small, small, small, small, toupper(name), small
    write_name(number, small "_f08_", "F08", n_words)
    write_name(number, small "_f08ts_", "F08TS", n_words)
}

function write_name(number, symbol, language, n_words) {
    printf "PDUMP_API void %s(%s);\n", symbol, list(n_words, "uintptr_t p")
    printf "void %s(%s)\n{\n", symbol, list(n_words, "uintptr_t p")
    printf "    static _Atomic(pdump_routine *) known;\n"
    printf "    pdump_routine *routine = known;\n\n    if (!routine) {\n"
    printf "        routine = pdump_fortran_find(\"%s\", HERE);\n", symbol
    printf "        known = routine;\n    }\n    if (routine)\n"
    printf "        fortran_%d(PDUMP_%s, routine, HERE, %s);\n}\n\n", number, \
        language, list(n_words, "p")
}

function write_all(    i) {
    print "/* SPDX-License-Identifier: BSD-3-Clause */"
    print "/* Made by generate.awk from calls.txt and mpi.h. */"
    print "#include \"calls.h\"\n#include \"fortran.h\"\n"
    # MPI-1's functions are deprecated, and programs call them.
    print "#pragma GCC diagnostic ignored \"-Wdeprecated-declarations\""
    print "#pragma GCC diagnostic ignored \"-Wmissing-prototypes\"\n"
    print "#define HERE __builtin_return_address(0)"
    print "#define FRAME __builtin_frame_address(0)"
    print "#define LEFT __attribute__((cleanup(pdump_calls_left)))"
    print "#define ALIAS(name, of) \\"
    print "    PDUMP_API extern __typeof__(of) name __attribute__((alias(#of)));\n"
    write_table()
    for (i = 0; i < n_in_c; i++)
        write_c(i, functions[i])
    for (i = 0; i < n_functions; i++)
        write_fortran(i, functions[i])
}
