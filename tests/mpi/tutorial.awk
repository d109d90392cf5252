# SPDX-License-Identifier: BSD-3-Clause
# Takes docs/tutorial.md apart, for tutorial.sh and scripts/pictures: a folder
# per section below -v top=FOLDER, with title, files/NAME, and for each command
# NN.command with NN.output, what the page shows below it.
/^```/ {
    is_fenced = !is_fenced
    if (!is_fenced)
        name = ""
    next
}
is_fenced {
    if (name != "")
        print > (folder "/files/" name)
    next
}
/^##+ / {
    folder = sprintf("%s/%02d", top, ++n_sections)
    system("mkdir -p '" folder "/files'")
    print > (folder "/title")
    n = 0
}
/^`[a-z0-9.]*`:$/ { name = substr($0, 2, length($0) - 3) }
/^    \$ / {
    base = sprintf("%s/%02d", folder, ++n)
    print substr($0, 7) > (base ".command")
    printf "" > (base ".output")
    is_output = 1
    next
}
/^[^ ]/ { is_output = 0 }
is_output && NF { print substr($0, 5) > (base ".output") }
