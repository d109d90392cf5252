#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Messages as events: what one rank sends the other receives.
if [ "${PDUMP_SANITIZERS:-no}" != no ]; then
    echo "a library with a sanitizer cannot be preloaded"
    exit 77
fi
teller=$PWD/../program/timeline/program
if [ ! -x "$teller" ]; then
    echo "skipped: $teller is not built"
    exit 77
fi
. "${srcdir:-.}/kit.sh"
seconds=300
PATH=$programs/pmpi:$PATH
library=$MODULES/$MPI_SONAME/libpdump-pmpi.so
PDUMP_EVENTS=none
PDUMP_MEMORY_MAX=64 # the size of a store, which the program copies
export PDUMP_EVENTS PDUMP_MEMORY_MAX

# messages RANK KIND: "REGION PEER BYTES TAG" of each, in order.
messages() {
    timeout 300 "$teller" tell "rank-$1.store" 1000 | sed -n "s/^$2 //p"
}

behaviour every message has two ends
ranks 2 LD_PRELOAD="$library" PDUMP_RECORD=events trace
sent="1 100 1
1 40 2
1 200 5
1 300 6
1 301 7
1 400 8
1 400 8
1 400 8
1 500 9"
same "$(messages 0 send | cut -d ' ' -f 2-)" "$sent" "sent by 0"
same "$(messages 1 receive | cut -d ' ' -f 2- | sort)" \
    "$(echo "$sent" | sed 's/^1/0/' | sort)" "received by 1"
same "$(messages 0 receive | cut -d ' ' -f 2- | sort)" \
    "$(messages 1 send | cut -d ' ' -f 2- | sed 's/^0/1/' | sort)" \
    "between 1 and 0"
same "$(messages 0 receive | wc -l)" 8 "received by 0"
same "$(messages 0 send | head -n 1 | cut -d ' ' -f 1)" MPI_Send "sent inside"
messages 0 collective | grep -Eqx 'work 2 8 [1-9][0-9]*' ||
    failed "collectives of 0: $(messages 0 collective)"
same "$(messages 1 collective)" "$(messages 0 collective)" "collectives of 1"

behaviour without the wish there are none
ranks 2 LD_PRELOAD="$library" trace
same "$(messages 0 send)" "" "sent by 0"
finish
