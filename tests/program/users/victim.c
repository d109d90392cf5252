/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program that somebody else is after.
 *
 *     victim              records a region
 *     victim set FOLDER   the same, and chooses where its dump goes itself
 *     victim lower        the same; then gives up root, and records so much
 *                         that its store has to grow
 *     victim wait         the same; then writes the file `pid`, and waits for
 *                         the file `go`
 */
#include <pdump.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { N_REGIONS = 10000 };
enum { TRIES = 30000, TRY_US = 10000 }; /* five minutes */

static int wait_for_go(void)
{
    FILE *f = fopen("pid.new", "w");

    if (!f)
        return 1;
    fprintf(f, "%ld\n", (long)getpid());
    if (fclose(f) != 0 || rename("pid.new", "pid") != 0)
        return 1;
    for (int i = 0; i < TRIES && access("go", F_OK) != 0; i++)
        usleep(TRY_US);
    return access("go", F_OK) != 0;
}

static int give_up_rights(void)
{
    if (setuid(65534) != 0)
        return 1;
    for (int i = 0; i < N_REGIONS; i++) {
        char name[32];

        snprintf(name, sizeof(name), "lower %d", i);
        pdump_region_begin(name);
        pdump_region_end(name);
    }
    return 0;
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";

    if (strcmp(what, "set") == 0 && pdump_set("PDUMP_DUMP_DIR", argv[2]) < 0)
        return 1;
    pdump_region_begin("mine");
    pdump_region_end("mine");
    printf("%ld %ld\n", (long)getuid(), (long)geteuid());
    if (strcmp(what, "lower") == 0)
        return give_up_rights();
    return strcmp(what, "wait") == 0 ? wait_for_go() : 0;
}
