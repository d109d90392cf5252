/* SPDX-License-Identifier: BSD-3-Clause */
/* pdump completion: prints a script that lets a shell complete commands. */
#include "completion/completion.h"

#include <string.h>

static const struct command_option options[] = {
    { NULL, NULL, NULL },
};

static const struct {
    const char *name;
    void (*put)(void);
} shells[] = {
    { "bash", completion_bash },
    { "fish", completion_fish },
    { "zsh", completion_zsh },
};

static int completion_argument(struct command_arguments *args, int which,
                               char *value)
{
    const char **shell = args->data;

    (void)which; /* there are no options */
    if (*shell)
        return command_usage(args->command, "one shell at a time");
    *shell = value;
    return -1;
}

static int run(const struct command *self, int argc, char **argv)
{
    const char *shell = NULL;
    int code = command_parse(self, argc, argv, completion_argument, &shell);

    if (code >= 0)
        return code;
    for (size_t i = 0; shell && i < sizeof(shells) / sizeof(shells[0]); i++)
        if (strcmp(shell, shells[i].name) == 0) {
            shells[i].put();
            return COMMAND_OK;
        }
    return command_usage(self, "the shell is bash, fish or zsh%s%s%s",
                         shell ? ", not \"" : "", shell ? shell : "",
                         shell ? "\"" : "");
}

const struct command command_completion = {
    .name = "completion",
    .operands = "SHELL",
    .about = "Print a script for the completion of bash, fish or zsh",
    .more = "`make install` puts them where the shells look.  To try one:\n"
            "    . <(pdump completion bash)",
    .options = options,
    .run = run,
};
