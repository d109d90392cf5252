/* SPDX-License-Identifier: BSD-3-Clause */
/* pdump info: prints the settings in force, the formats and the machine. */
#include "command.h"
#include "info/format_list.h"
#include "info/machine.h"
#include "info/module_list.h"

#include "config/settings.h"
#include "source/clock.h"
#include "source/source.h"
#include "system/env.h"

#include <pdump.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct command_option options[] = {
    { NULL, NULL, NULL },
};

static void put_fact(const char *name, const char *value)
{
    printf("  %-20s  %s\n", name, value);
}

/* If the value of the variable differs from the one in force, it was invalid,
 * or is written in another form. */
static void put_origin(const struct pdump_setting_info *row)
{
    const char *given = pdump_env(row->name);
    bool is_used =
        given && strncmp(given, row->value, sizeof(row->value) - 1) == 0;

    printf("%-11s  %s", given ? "environment" : "default", row->help);
    if (given && !is_used)
        printf(" (given: \"%s\")", given);
    putchar('\n');
}

static void put_settings(const struct pdump_settings *set)
{
    struct pdump_setting_info row;

    printf("\nSettings\n");
    for (int i = 0; pdump_settings_row(set, i, &row); i++) {
        printf("  %-20s  %-11s  ", row.name,
               row.value[0] != '\0' ? row.value : "(empty)");
        put_origin(&row);
    }
}

static void put_counters(const struct pdump_settings *set)
{
    struct pdump_sources sources;

    printf("\nCounters\n");
    put_fact("clock", pdump_clock_open(set));
    if (pdump_sources_open(set, &sources) < 0) {
        put_fact("none", pdump_last_error());
        return;
    }
    put_fact("choice", sources.choice);
    for (int i = 0; i < sources.n_metrics; i++) {
        const struct pdump_metric *m = &sources.metric[i];

        printf("  %-20s  %s, by %s%s%s\n", m->name,
               strcmp(m->unit, "1") == 0 ? "count" : m->unit, m->source,
               m->about[0] ? ": " : "", m->about);
    }
    pdump_sources_close(&sources);
}

static void put_machine(void)
{
    static const struct {
        const char *name;
        void (*write)(char *buf, size_t len);
    } facts[] = {
        { "host", machine_host },
        { "CPU", machine_cpu },
        { "cores", machine_cores },
        { "perf_event_paranoid", machine_paranoid },
    };
    char text[512];

    printf("\nMachine\n");
    for (size_t i = 0; i < sizeof(facts) / sizeof(facts[0]); i++) {
        facts[i].write(text, sizeof(text));
        put_fact(facts[i].name, text);
    }
}

static int info_argument(struct command_arguments *args, int which, char *value)
{
    (void)which; /* there are no options */
    return command_usage(args->command, "takes no argument, \"%s\" is too many",
                         value);
}

static int run(const struct command *self, int argc, char **argv)
{
    struct pdump_settings set;
    int code = command_parse(self, argc, argv, info_argument, NULL);

    if (code >= 0)
        return code;
    if (pdump_settings_load(&set, pdump_env) < 0)
        return command_fail(self, "%s", pdump_last_error());
    printf("pdump %s\n", pdump_version());
    put_machine();
    put_counters(&set);
    put_settings(&set);
    printf("\nOutput formats\n");
    format_list_print();
    module_list_print(&set);
    pdump_settings_free(&set);
    return COMMAND_OK;
}

const struct command command_info = {
    .name = "info",
    .operands = "",
    .about = "Show the settings in force, the output formats and the machine",
    .more = "",
    .options = options,
    .run = run,
};
