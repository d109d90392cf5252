/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program that has HDF5 itself, with a file open while libpdump writes its
 * own: `own CASE`.  Cases: before (HDF5 is first used before the session),
 * after (when the session has begun), late (its file is left to HDF5 to close).
 */
#include <pdump.h>

#include <hdf5.h>
#include <stdio.h>
#include <string.h>

static hid_t file;

static void make_file(void)
{
    hid_t group;

    file = H5Fcreate("own.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    group = H5Gcreate2(file, "mine", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Gclose(group);
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    unsigned major, minor, release;

    if (strcmp(name, "before") == 0)
        make_file();
    pdump_region_begin("outer");
    if (strcmp(name, "before") != 0)
        make_file();
    pdump_region_end("outer");
    if (pdump_flush() < 0)
        printf("%s\n", pdump_last_error());
    /* The library has not touched what is ours. */
    if (H5Fflush(file, H5F_SCOPE_LOCAL) < 0 ||
        H5Lexists(file, "mine", H5P_DEFAULT) <= 0)
        return 1;
    if (strcmp(name, "late") != 0 && H5Fclose(file) < 0)
        return 2;
    H5get_libversion(&major, &minor, &release);
    printf("HDF5 %u\n", major);
    return 7;
}
