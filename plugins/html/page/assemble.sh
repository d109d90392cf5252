#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# assemble.sh FOLDER: page.html with its style and scripts as C, on standard
# output.  A line "@style.css@" stands for that file, "@data@" for the data.
set -e
cd "$1"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

part=head
while IFS= read -r line; do
    case $line in
    @data@) part=tail ;;
    @*@)
        name=${line#@}
        # Without the licence's line, which the page has itself.
        grep -v SPDX-License-Identifier "${name%@}" >>"$work/$part"
        ;;
    *) printf '%s\n' "$line" >>"$work/$part" ;;
    esac
done <page.html

printf '/* Made by assemble.sh. */\n#include "page_text.h"\n'
for part in head tail; do
    printf 'const char pdump_html_%s[] = {\n' $part
    od -An -v -tu1 "$work/$part" | sed 's/ *\([0-9][0-9]*\)/(char)\1,/g'
    printf '};\nconst size_t pdump_html_%s_len = sizeof(pdump_html_%s);\n' \
        $part $part
done
