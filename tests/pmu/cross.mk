# SPDX-License-Identifier: BSD-3-Clause
# The library, counts.c and the unit tests for another machine, by wildcard:
#     make -f cross.mk TOP=SOURCE_FOLDER ROOT=SYSROOT CC=CROSS_COMPILER
# Much faster than a configure run inside an emulated machine.
LIBDIR = $(ROOT)/usr/lib/aarch64-linux-gnu
CFLAGS = --sysroot=$(ROOT) -B$(LIBDIR) -std=gnu11 -O2 -g -D_GNU_SOURCE \
	-DHAVE_PAPI -DPDUMP_VERSION='"0.1.0"' -DPDUMP_MODULE_DIR='"/none"' \
	-I$(TOP)/include -I$(TOP)/libpdump -I$(TOP)/tests -I$(TOP)/tests/unit/kit
LIBS = -L$(LIBDIR) -lpapi -lpthread -ldl -lm
CHECK_LIBS = -lcheck -lsubunit -lrt

# Stacks can be taken there.
objects = $(filter-out stacks/stack_clock_none.o, \
	$(patsubst $(TOP)/libpdump/%.c,%.o,$(wildcard \
	$(TOP)/libpdump/*/*.c $(TOP)/libpdump/*/*/*.c)))
# All but those that need modules, flags or other parts of the project.
others = check_compare check_hdf5 check_io check_line_fields check_mem_blocks \
	check_mem_record check_plugin check_run_stacks check_seccomp_filter \
	check_stack_tree check_store_pages check_symbol_frames check_symbols
checks = $(filter-out $(others),$(basename $(notdir \
	$(wildcard $(TOP)/tests/unit/*/check_*.c))))
vpath check_%.c $(wildcard $(TOP)/tests/unit/*)

all: counts shares $(checks)

$(objects): %.o: $(TOP)/libpdump/%.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -fPIC -fvisibility=hidden -c $< -o $@

pdump.map: $(TOP)/libpdump/pdump.map.in
	sed 's/@PACKAGE_VERSION@/0.1.0/' $< >$@

libpdump.so.0: $(objects) pdump.map
	$(CC) $(CFLAGS) -shared -Wl,-z,defs -Wl,-soname,$@ \
		-Wl,--version-script=pdump.map $(objects) -o $@ $(LIBS)

counts: $(TOP)/tests/pmu/counts.c libpdump.so.0
	$(CC) $(CFLAGS) $^ -o $@ $(LIBS)

shares: $(TOP)/tests/program/stacks/shares.c libpdump.so.0
	$(CC) $(CFLAGS) $^ -o $@ $(LIBS)

check_%: check_%.c $(objects)
	$(CC) $(CFLAGS) $^ -o $@ $(LIBS) $(CHECK_LIBS)

.PHONY: all
