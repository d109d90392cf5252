#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The documents can be read and trusted: lines of at most 80 columns, no dead
# links, every page of docs/ at most two links from README.md, and no command,
# option or source file that does not exist.  Pages of tasks open with a command
# and close with limits, variables.md has every variable with its default and
# every event of libpdump itself, and some phrases that are not plain English
# are not used.
set -u
cd "${top_srcdir:-.}" || exit 99
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
pages=$(find ./*.md docs bindings/python/README.md -name '*.md' | sed 's|^\./||' |
    LC_ALL=C sort)
n_bad=0

bad() {
    echo "$*"
    n_bad=$((n_bad + 1))
}

# enough WHAT COUNT LEAST: this test would also pass if it looked at nothing.
enough() {
    echo "$2 $1"
    [ "$2" -ge "$3" ] || bad "only $2 $1 were found"
}

# Each line as "KIND LINE TEXT".  KIND: c is in a code block, r the row of a
# table, t other text.
for page in $pages; do
    mkdir -p "$work/$(dirname "$page")"
    LC_ALL=C awk '
        /^ *```/ { is_fenced = !is_fenced; print "c", NR, ""; next }
        !is_fenced && !/^    / && NF { is_list = /^([-*]|[0-9]+\.) / ||
                                        (is_list && /^ /) }
        is_fenced || (/^    / && (is_blank || is_code) && !is_list) {
            is_code = !is_fenced; print "c", NR, $0; next
        }
        NF { is_code = 0 }
        { is_blank = !NF; print /^ *\|/ ? "r" : "t", NR, $0 }
    ' "$page" >"$work/$page"
done

n_lines=$(wc -l <README.md)
[ "$n_lines" -le 150 ] || bad "README.md: $n_lines lines, more than 150"

# Lines: 80 columns, which are characters, unless there is nothing to break at.
for page in $pages; do
    LC_ALL=C sed -n 's/^t //p' "$work/$page" | LC_ALL=C tr -d '\200-\277' |
        awk -v page="$page" '
            { n = $1; sub(/^[0-9]+ /, "") }
            length($0) > 80 && NF > 1 { print page ":" n ": " length($0) \
                " columns" }'
done >"$work/long"
while read -r line; do bad "$line"; done <"$work/long"

# Links, as "FROM TO": of text and tables, and those at the end of a page.
for page in $pages; do
    sed -n 's/^[rt] [0-9]* //p' "$work/$page" | awk -v page="$page" '
        { line = $0
          while (match(line, /\]\([^)]*\)/)) {
              print page, substr(line, RSTART + 2, RLENGTH - 3)
              line = substr(line, RSTART + RLENGTH)
          } }
        /^\[[^]]*\]: / { print page, $2 }
        # Pictures, light and dark.
        match($0, /src(set)?="[^"]*"/) {
            split(substr($0, RSTART, RLENGTH), part, "\"")
            print page, part[2]
        }'
done | grep -v ' [a-z]*:' >"$work/links"

# anchor_of: headings on standard input to what a link has behind #.
anchor_of() {
    sed -n 's/^t [0-9]* ##* //p' | tr 'A-Z' 'a-z' | tr -d '`' |
        sed 's/[^a-z0-9_ -]//g; s/ /-/g'
}

: >"$work/edges"
while read -r from to; do
    target=${to%%#*}
    case $target in
    "") path=$from ;;
    *) path=$(dirname "$from")/$target ;;
    esac
    while :; do # docs/internals/../x.md to docs/x.md
        short=$(echo "$path" | sed 's|[^/.][^/]*/\.\./||; s|^\./||')
        [ "$short" = "$path" ] && break
        path=$short
    done
    if [ ! -e "$path" ]; then
        bad "$from: there is no $path"
    else
        echo "$from $path" >>"$work/edges"
        case $to in
        *.md#* | "#"*)
            anchor_of <"$work/$path" | grep -qxF -e "${to#*#}" ||
                bad "$from: $path has no heading #${to#*#}"
            ;;
        esac
    fi
done <"$work/links"
enough links "$(wc -l <"$work/links")" 150

# Reached from README.md by one link, then by two.
awk '$1 == "README.md" { print $2 }' "$work/edges" >"$work/near"
awk 'NR == FNR { near[$1] = 1; print; next } $1 in near { print $2 }' \
    "$work/near" "$work/edges" >"$work/reached"
for page in $pages; do
    case $page in
    docs/*) grep -qxF "$page" "$work/reached" ||
        bad "$page is not found from README.md in two links" ;;
    esac
done

# Pages of tasks open with a command, and close with a section "Limits".
n_tasks=0
for page in docs/*.md; do
    case $page in
    docs/README.md | docs/tutorial.md | docs/concepts.md | docs/faq.md | \
        docs/comparison.md | docs/install.md | docs/variables.md | \
        docs/heat*.md | docs/coming-from-*.md) continue ;;
    esac
    n_tasks=$((n_tasks + 1))
    awk '$1 == "c" && $2 <= 25 && NF > 2 { print $3 }' "$work/$page" |
        grep -q . || bad "$page: no command in its first 25 lines"
    [ "$(grep '^t [0-9]* ## ' "$work/$page" | tail -n 1 | cut -d ' ' -f 3-)" = \
        "## Limits" ] || bad "$page: the last section is not Limits"
done
enough "pages of tasks" $n_tasks 15

# Variables: each setting of the program as a row, with its default, and no
# other.
variables=docs/variables.md
sed -n 's/^    { "\(PDUMP_[A-Z0-9_]*\)", \([A-Z]*\), [^,]*, "\(.*\)", "[^"]*".*/\1 \2 \3/p
        s/^    { "\(PDUMP_[A-Z0-9_]*\)", \([A-Z]*\), [^,]*, "\([^"]*\)", *$/\1 \2 \3/p' \
    libpdump/config/settings.c | LC_ALL=C sort -u >"$work/settings"
enough "settings of the program" "$(wc -l <"$work/settings")" 50
while read -r name kind value; do
    row=$(grep -E "^\| \`$name\`( \(E\))? \|" $variables)
    [ -n "$row" ] || grep -q "\`$name\` for the processes" $variables ||
        bad "$variables: $name is missing"
    [ "$kind" = FOREIGN ] || [ -z "$row" ] ||
        [ "$(echo "$row" | cut -d '|' -f 3 | tr -d ' \`')" = "$value" ] ||
        bad "$variables: the default of $name is not '$value'"
done <"$work/settings"
grep -oh '"pdump::[a-z_][a-z_]*"' libpdump/source/*.c libpdump/source/*.h | tr -d '"' |
    sort -u >"$work/events"
enough "events of libpdump itself" "$(wc -l <"$work/events")" 12
while read -r name; do
    grep -qF "\`$name\`" $variables || bad "$variables: $name is missing"
done <"$work/events"
grep -o '`PDUMP_[A-Z0-9_]*`' $variables | tr -d '`' | sort -u |
    while read -r name; do
        grep -q "^$name " "$work/settings" || echo "$name"
    done >"$work/unknown"
while read -r name; do
    bad "$variables: the program has no $name"
done <"$work/unknown"

# Phrases that a reader has to decode.  NEWS.md has what was said once.
grep -nEi -e '\bas ever\b|knows? nothing of|than they tell|in peace' \
    -e '\b(is|are|be) told\b|\bwho has to\b|\bwhat is to be\b' \
    -e '\bthere (is|was) nobody\b|\bfor people\b' \
    $(echo "$pages" | grep -v -e NEWS.md -e CONTRIBUTING.md -e docs/internals) man/*.[137] \
    >"$work/phrases"
while read -r line; do bad "$line"; done <"$work/phrases"

# Source files that the internals name.
for page in docs/internals/*.md; do
    grep -o '`[a-z0-9_]*\.[ch]`' "$page" | tr -d '`' | sort -u |
        sed "s|^|$page |"
done >"$work/sources"
while read -r page name; do
    find libpdump plugins tools include bench examples -name "$name" |
        grep -q . || bad "$page: there is no $name"
done <"$work/sources"
enough "source files" "$(wc -l <"$work/sources")" 40

# Functions that documents name, as `pdump_init()` or in code.
grep -oE 'pdump_[a-z0-9_]+\(' README.md docs/*.md | tr -d '(' | sort -u |
    sed 's/:/ /' >"$work/functions"
while read -r page name; do
    grep -qw "$name" include/pdump.h || bad "$page: there is no $name()"
done <"$work/functions"
enough "uses of functions" "$(wc -l <"$work/functions")" 60

# Code, one piece per line with the page: code blocks, and spans of text.
for page in $pages; do
    [ "$page" = NEWS.md ] && continue # has what was removed
    sed -n 's/^c [0-9]* //p' "$work/$page" | sed "s|^|$page |"
    sed -n 's/^[rt] [0-9]* //p' "$work/$page" | awk -v page="$page" '
        # Spans do not go on in another row, item or paragraph.
        function spans(    n, i, part) {
            n = split(text, part, "`")
            for (i = 2; i < n; i += 2)
                print page, part[i]
            text = ""
        }
        !NF || /^ *(\||[-*] |[0-9]+\. )/ { spans() }
        { text = text " " $0 }
        END { spans() }'
done >"$work/code"

# What they name, as "PAGE COMMAND OPTION"; COMMAND is - for an option alone,
# python for `python -m pdump`; OPTION is - for the command itself.
awk '
    # From word i on: options of a command, up to the arguments of another.
    function options(command, i,    word, is_option) {
        for (; i <= n; i++) {
            word = w[i]
            gsub(/[][,;:)]/, "", word)
            if (word ~ /^(--|#.*|[|<>].*|&&)$/)
                return
            if (word ~ /^--[a-z]/) {
                sub(/=.*/, "", word)
                print $1, command, word
                is_option = w[i] !~ /=/
            } else if (word ~ /^\[?-/) {
                is_option = 1
            } else {
                if (!is_option && command ~ /^(run|python)$/)
                    return
                is_option = 0
            }
        }
    }
    {
        n = split($0, w, / +/)
        if (n == 2 && $2 ~ /^--[a-z][-a-z]*(=.*)?$/) {
            word = $2
            sub(/=.*/, "", word)
            print $1, "-", word
        }
        for (i = 2; i < n; i++) {
            if (w[i] !~ /^[$(]*([^ ]*\/)?pdump$/)
                continue
            if (w[i - 1] == "-m" && w[i - 2] ~ /python/)
                options("python", i + 1)
            else if (w[i - 1] !~ /^(-m|import|use|man|module|struct)$/ &&
                     w[i + 1] ~ /^[a-z]+$/) {
                print $1, w[i + 1], "-"
                options(w[i + 1], i + 2)
            }
        }
    }' "$work/code" | sort -u >"$work/uses"
enough "uses of commands and options" "$(wc -l <"$work/uses")" 200

pdump=${PDUMP_COMMAND:-pdump}
mkdir "$work/help"
for command in $(awk '$2 != "-" && $2 != "python" { print $2 }' "$work/uses" |
    sort -u); do
    [ "$command" = help ] && continue
    $pdump "$command" --help >"$work/help/$command" 2>/dev/null || {
        rm "$work/help/$command"
        bad "$(awk -v c="$command" '$2 == c { print $1 }' "$work/uses" |
            sort -u | tr '\n' ' '): there is no command pdump $command"
    }
done
$pdump --help >"$work/help/pdump" || bad "pdump --help fails"

# The package needs a Python that has cffi; without, only its options are left
# out here.
has_python=no
if [ -n "${PYTHON:-}" ] && [ "${PDUMP_SANITIZERS:-no}" = no ]; then
    PYTHONPATH=$top_builddir/bindings/python PYTHONDONTWRITEBYTECODE=1 \
        PDUMP_LIBRARY=$top_builddir/libpdump/.libs/libpdump.so \
        "$PYTHON" -m pdump --help >"$work/help/python" 2>/dev/null &&
        has_python=yes
fi
echo "options of python -m pdump: $has_python"
# Options that stand alone may also be those of configure and of scripts, and
# options of Score-P's Python package, which the runner takes.
./configure --help >"$work/help/configure" || bad "configure --help fails"
cp scripts/test bench/bench.c bindings/python/pdump/runner_options.py \
    "$work/help"

while read -r page command option; do
    case $command,$option in
    *,-) continue ;;
    -,*) where=$work/help ;;
    *) where=$work/help/$command ;;
    esac
    case $command,$has_python,$option in
    -,no,* | python,no,*) continue ;;
    -,*,--no-build-isolation) continue ;; # of pip
    -,*,--disable-* | -,*,--without-*)
        option=$(echo "$option" | sed 's/^--disable/--(en|dis)able/
            s/^--without/--with(out)?/')
        ;;
    esac
    [ -e "$where" ] || continue
    grep -rqE -e "(^|[^-a-z])$option([^-a-z]|\$)" "$where" ||
        bad "$page: there is no option $option ($command)"
done <"$work/uses"

echo "$n_bad wrong"
[ $n_bad = 0 ]
