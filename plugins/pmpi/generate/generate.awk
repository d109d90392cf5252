# SPDX-License-Identifier: BSD-3-Clause
# Writes the functions that stand in front of MPI's.
#   $(CC) -E -P mpi.h | awk -f generate.awk calls.txt - >wrappers.c
# C functions that this mpi.h declares, with the arguments that it gives them; and
# the Fortran names of these and of MPI-1's, as Fortran's libraries may be there
# or not, and may have what C has no more.
#   ... | awk -v list=yes -f generate.awk calls.txt -
# prints the Fortran names instead, each with what the wrapper assumes about its
# arguments; tests compare it with the modules of the MPI.

FILENAME != "-" {
    if ($0 ~ /^#/ || NF == 0)
        next
    name = $1
    has_large = sub(/\[_c\]$/, "", name)
    kind[name] = $2
    words = ""
    for (i = 3; i <= NF; i++)
        if ($i ~ /^fortran=/) {
            n_in_fortran[name] = substr($i, 9)
            known[n_known++] = name
        } else {
            words = words " " $i
        }
    plan[name] = words
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
            n_arguments[known[i]] = n_in_fortran[known[i]]
            n_texts[known[i]] = 0
        }
    if (list)
        print_list()
    else
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

function numbered(n, head,    i, text) {
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
        if (word ~ /:/) {
            when = toupper(word)
            sub(/:.*/, "", when)
            sub(/^[^:]*:/, "", word)
        }
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
    print "struct pdump_mpi_function pdump_mpi_functions[] = {"
    for (i = 0; i < n_functions; i++) {
        name = functions[i]
        printf "    { .callee = { .name = \"%s\", .group = PDUMP_GROUP_MPI },\n" \
            "      .kind = %s,\n      .plan = {%s } },\n", \
            name, upper_class(name), initialisers(name)
    }
    print "};\nconst int pdump_n_mpi_functions = " n_functions ";\n"
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
    printf "    pdump_mpi_call_enter(&call, &pdump_mpi_functions[%d], %s, PDUMP_C, HERE, FRAME);\n", \
        number, plan[name] != "" ? "a" : "NULL"
    printf "    code = ONWARD(%d, P%s, (%s));\n", number, name, values
    printf "    return pdump_mpi_call_leave(&call, code);\n}\n\n"
}

# Arguments in Fortran before ierror, and the lengths of texts behind it, which
# compilers pass by value.
function n_before_ierror(name) {
    return name in n_in_fortran ? n_in_fortran[name] : n_arguments[name]
}

function n_lengths(name) {
    return name in n_in_fortran ? 0 : n_texts[name]
}

function write_fortran(number, name,    n, n_words, parameters, symbols, i, \
                       words) {
    n = n_before_ierror(name)
    n_words = n + 1 + n_lengths(name)
    parameters = numbered(n_words, "uintptr_t p")
    printf "static void fortran_%d(enum pdump_language language, " \
        "pdump_routine *routine, const void *site, %s)\n{\n", number, parameters
    printf "    uintptr_t a[] = { %s };\n", numbered(n_words, "p")
    printf "    struct pdump_mpi_call LEFT call;\n"
    if (plan[name] != "")
        printf "    MPI_Fint code;\n\n    if (!a[%d])\n        a[%d] = (uintptr_t)&code;\n", \
            n, n
    printf "    call.routine = routine;\n"
    printf "    pdump_mpi_call_enter(&call, &pdump_mpi_functions[%d], a, language, site, FRAME);\n", \
        number
    printf "    ((void (*)(%s))routine)(%s);\n", list_of("uintptr_t", n_words), \
        elements(n_words)
    printf "    pdump_mpi_call_leave(&call, %s);\n}\n\n", \
        plan[name] != "" ? "*(const MPI_Fint *)a[" n "]" : "MPI_SUCCESS"
    split(symbols_of(name), symbols, " ")
    for (i = 1; i in symbols; i++) {
        split(symbols[i], words, ":")
        write_name(number, words[1], words[2], n_words)
    }
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

# "SYMBOL:LANGUAGE ..."; the tools interface MPI_T_ is for C alone.
function symbols_of(name,    small, text) {
    if (name ~ /^MPI_T_/)
        return ""
    small = tolower(name)
    if (sub(/_c$/, "", small))
        return small "_f08_large_:F08 " small "_f08ts_large_:F08TS"
    text = small "_:F77 " small "_f08_:F08 " small "_f08ts_:F08TS"
    # Open MPI's forms for a base address of type(c_ptr).
    if (name ~ /^MPI_(Alloc_mem|Win_allocate|Win_allocate_shared|Win_shared_query)$/)
        text = text " " small "_cptr_:F77"
    return text
}

function write_name(number, symbol, language, n_words) {
    printf "PDUMP_API void %s(%s);\n", symbol, numbered(n_words, "uintptr_t p")
    printf "void %s(%s)\n{\n", symbol, numbered(n_words, "uintptr_t p")
    printf "    static _Atomic(pdump_routine *) known;\n"
    printf "    pdump_routine *routine = known;\n\n    if (!routine) {\n"
    printf "        routine = pdump_fortran_find(\"%s\", HERE);\n", symbol
    printf "        known = routine;\n    }\n    if (routine)\n"
    printf "        fortran_%d(PDUMP_%s, routine, HERE, %s);\n}\n\n", number, \
        language, numbered(n_words, "p")
    if (language != "F77")
        return
    sub(/_$/, "", symbol)
    printf "ALIAS(%s, %s_)\nALIAS(%s__, %s_)\nALIAS(%s, %s_)\n\n", \
        symbol, symbol, symbol, symbol, toupper(symbol), symbol
}

# "SYMBOL;LANGUAGE;ARGUMENTS;LENGTHS;WORDS OF CALLS.TXT;TYPES IN C, WITH |".  What
# Fortran does not pass comes first in C.
function print_list(    i, j, k, name, symbols, pair, in_c) {
    for (i = 0; i < n_functions; i++) {
        name = functions[i]
        in_c = ""
        for (j = n_arguments[name] - n_before_ierror(name) + 1; \
             (name, j) in argument; j++)
            in_c = in_c (in_c ? "|" : "") argument[name, j]
        split(symbols_of(name), symbols, " ")
        for (k = 1; k in symbols; k++) {
            split(symbols[k], pair, ":")
            print pair[1] ";" pair[2] ";" n_before_ierror(name) + 1 ";" \
                n_lengths(name) ";" plan[name] ";" in_c
        }
    }
}

function write_all(    i) {
    print "/* SPDX-License-Identifier: BSD-3-Clause */"
    print "/* Made by generate.awk from calls.txt and mpi.h. */"
    print "#include \"mpi_call.h\"\n#include \"fortran.h\"\n"
    # MPI-1's functions are deprecated, and programs call them.
    print "#pragma GCC diagnostic ignored \"-Wdeprecated-declarations\""
    print "#pragma GCC diagnostic ignored \"-Wmissing-prototypes\"\n"
    print "#define HERE __builtin_return_address(0)"
    print "#define FRAME __builtin_frame_address(0)"
    print "#define LEFT __attribute__((cleanup(pdump_mpi_call_left)))"
    # The function's address is not taken: an older library of this MPI may not
    # have it, which does not matter unless it is called.
    print "#define ONWARD(number, function, values) \\"
    print "    (pdump_mpi_functions[number].next \\"
    print "         ? ((__typeof__(&function))pdump_mpi_functions[number].next) values \\"
    print "         : function values)"
    print "#define ALIAS(name, of) \\"
    print "    PDUMP_API extern __typeof__(of) name __attribute__((alias(#of)));\n"
    write_table()
    for (i = 0; i < n_in_c; i++)
        write_c(i, functions[i])
    for (i = 0; i < n_functions; i++)
        if (symbols_of(functions[i]) != "")
            write_fortran(i, functions[i])
}
