/* SPDX-License-Identifier: BSD-3-Clause */
/* The pdump command: finds the command asked for and runs it. */
#include "command.h"
#include "common/nearest.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <pdump.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const struct command *const commands[] = {
    &command_completion, &command_diff, &command_events, &command_export,
    &command_html,       &command_info, &command_merge,  &command_recover,
    &command_report,     &command_run,  &command_score,  &command_top,
};

enum { N_COMMANDS = sizeof(commands) / sizeof(commands[0]) };

const struct command *command_at(int index)
{
    return index >= 0 && index < N_COMMANDS ? commands[index] : NULL;
}

const struct command *command_find(const char *name)
{
    for (int i = 0; i < N_COMMANDS; i++) {
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    }
    return NULL;
}

static int overview(FILE *f)
{
    fprintf(f, "Usage: pdump COMMAND [OPTION]... [ARGUMENT]...\n\n"
               "Look at what libpdump recorded, and at what it can record.\n\n"
               "Commands:\n");
    for (int i = 0; i < N_COMMANDS; i++) {
        char left[64];

        snprintf(left, sizeof(left), "%s %s", commands[i]->name,
                 commands[i]->operands);
        fprintf(f, "  %-24s  %s\n", left, commands[i]->about);
    }
    fprintf(f, "  %-24s  %s\n  %-24s  %s\n", "help COMMAND",
            "Explain a command", "--version", "Print the version");
    return COMMAND_OK;
}

static int unknown(const char *name)
{
    bool is_option = strncmp(name, "--", 2) == 0;
    struct nearest near = { .word = is_option ? name + 2 : name };
    char buf[400];

    for (int i = 0; i < N_COMMANDS && !is_option; i++)
        nearest_offer(&near, commands[i]->name);
    nearest_offer(&near, "help");
    nearest_offer(&near, "version");
    return command_usage(NULL, "unknown %s %s%s",
                         name[0] == '-' ? "option" : "command", name,
                         nearest_text(&near, is_option ? "--" : "", buf));
}

static int help(int argc, char **argv)
{
    const struct command *command;

    if (argc < 1)
        return overview(stdout);
    command = command_find(argv[0]);
    if (!command)
        return unknown(argv[0]);
    command_help(command);
    return COMMAND_OK;
}

static int dispatch(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : NULL;
    const struct command *command;

    if (!name) {
        overview(stderr);
        return COMMAND_USAGE;
    }
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
        return overview(stdout);
    if (strcmp(name, "help") == 0)
        return help(argc - 2, argv + 2);
    if (strcmp(name, "--version") == 0 || strcmp(name, "version") == 0) {
        printf("pdump %s\n", pdump_version());
        return COMMAND_OK;
    }
    command = command_find(name);
    if (!command)
        return unknown(name);
    return command->run(command, argc - 2, argv + 2);
}

/* If a standard stream is closed, the next opened file would get its number,
 * and our messages would go into that file.  So closed streams become
 * /dev/null, read only: writing to them still fails, and a command that we run
 * finds them closed. */
static void hold_streams(void)
{
    int fd;

    do
        fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
    while (fd >= 0 && fd <= STDERR_FILENO);
    if (fd >= 0)
        close(fd);
}

int main(int argc, char **argv)
{
    int code;

    hold_streams();
    setlocale(LC_CTYPE, "");
    code = dispatch(argc, argv);
    errno = 0;
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "pdump: cannot write: %s\n",
                errno ? strerror(errno) : "output is incomplete");
        return COMMAND_FAILED;
    }
    return code;
}
