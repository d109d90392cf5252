/* SPDX-License-Identifier: BSD-3-Clause */
/* What the scripts for all shells share, and the script for bash. */
#include "completion/completion.h"

#include "write/sink.h"

#include <stdio.h>
#include <string.h>

/* Options whose values are words: add a row for another one. */
static const struct {
    const char *option;
    const char *words;
} choices[] = {
    { "by", "rank run thread region function file" },
    { "color", "auto always never" },
    { "sort", "time self visits name" },
};

/* Formats of modules are listed even if there are no modules at build time. */
static const char *list_formats(char *buf, size_t len)
{
    static const char of_modules[] = "hdf5 hdf5-pyperfdump html otf2";
    const struct pdump_sink *sink;

    snprintf(buf, len, "%s", of_modules);
    for (int i = 0; (sink = pdump_sink_at(i)) != NULL; i++) {
        size_t n = strlen(buf);

        if (!strstr(of_modules, sink->name))
            snprintf(buf + n, len - n, " %s", sink->name);
    }
    return buf;
}

const char *completion_choices(const struct command_option *option, char *buf,
                               size_t len)
{
    if (strcmp(option->name, "format") == 0)
        return list_formats(buf, len);
    for (size_t i = 0; i < sizeof(choices) / sizeof(choices[0]); i++)
        if (strcmp(option->name, choices[i].option) == 0)
            return choices[i].words;
    return NULL;
}

const char *completion_help(const struct command_option *option, char *buf,
                            size_t len)
{
    snprintf(buf, len, "%s", option->help);
    for (option++; option->help && !option->name; option++) {
        size_t n = strlen(buf);

        snprintf(buf + n, len - n, " %s", option->help);
    }
    return buf;
}

bool completion_is_file(const struct command_option *option)
{
    return option->value && strcmp(option->name, "output") == 0;
}

static void put_names(void)
{
    const struct command *c;

    for (int i = 0; (c = command_at(i)) != NULL; i++)
        printf("%s ", c->name);
}

static void put_options(const struct command *c)
{
    printf("        %s) words='", c->name);
    for (const struct command_option *o = c->options; o->help; o++) {
        char letter = command_letter(c, (int)(o - c->options));

        if (o->name)
            printf("--%s ", o->name);
        if (o->name && letter != ' ')
            printf("-%c ", letter);
    }
    printf("--help' ;;\n");
}

static void put_values(const struct command *c)
{
    for (const struct command_option *o = c->options; o->help; o++) {
        char buf[1000];
        const char *words = o->name && o->value
                                ? completion_choices(o, buf, sizeof(buf))
                                : NULL;

        if (!words)
            continue;
        printf("    '%s --%s'", c->name, o->name);
        if (command_letter(c, (int)(o - c->options)) != ' ')
            printf(" | '%s -%c'", c->name,
                   command_letter(c, (int)(o - c->options)));
        printf(") words='%s' ;;\n", words);
    }
}

/* Bash splits at "=": "--by=ra" is the words "--by", "=" and "ra". */
void completion_bash(void)
{
    const struct command *c;

    printf("# bash completion for pdump, made by `pdump completion bash`\n"
           "_pdump()\n{\n"
           "    local cur=${COMP_WORDS[COMP_CWORD]} prev= words= i\n"
           "    COMPREPLY=()\n"
           "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
           "        words='");
    put_names();
    printf("help --help --version'\n"
           "        COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
           "        return\n"
           "    fi\n"
           "    i=$((COMP_CWORD - 1))\n"
           "    if [ \"$cur\" = = ]; then\n"
           "        cur=\n"
           "    elif [ \"${COMP_WORDS[i]}\" = = ]; then\n"
           "        i=$((i - 1))\n"
           "    fi\n"
           "    prev=${COMP_WORDS[i]}\n"
           "    case \"${COMP_WORDS[1]} $prev\" in\n"
           "    'help help') words='");
    put_names();
    printf("' ;;\n"
           "    'completion completion') words='" COMPLETION_SHELLS
           " --help' ;;\n");
    for (int i = 0; (c = command_at(i)) != NULL; i++)
        put_values(c);
    printf("    esac\n"
           "    if [ -z \"$words\" ] && [ \"${cur#-}\" != \"$cur\" ]; then\n"
           "        case \"${COMP_WORDS[1]}\" in\n");
    for (int i = 0; (c = command_at(i)) != NULL; i++)
        put_options(c);
    printf("        esac\n"
           "    fi\n"
           "    [ -z \"$words\" ] ||\n"
           "        COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
           "}\n"
           "# Without an answer from it, names of files.\n"
           "complete -o default -F _pdump pdump\n");
}
