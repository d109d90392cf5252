/* SPDX-License-Identifier: BSD-3-Clause */
/* Scripts for the completion of zsh and fish. */
#include "completion/completion.h"

#include <stdio.h>
#include <string.h>

/* Prints text in single quotes, with a backslash before each of `special`. */
static void put_quoted(const char *text, const char *special)
{
    for (; *text != '\0'; text++) {
        if (*text == '\'') {
            fputs("'\\''", stdout);
            continue;
        }
        if (strchr(special, *text))
            putchar('\\');
        putchar(*text);
    }
}

/* Prints one form of the option: "--by=", "-f+". */
static void put_zsh_spec(const struct command_option *o, const char *spec)
{
    char help[400], buf[1000];
    const char *words =
        o->value ? completion_choices(o, buf, sizeof(buf)) : NULL;

    printf("            '*%s[", spec);
    put_quoted(completion_help(o, help, sizeof(help)), "[]\\:");
    putchar(']');
    if (o->value) {
        putchar(':');
        put_quoted(o->value, "[]\\:");
        if (words)
            printf(":(%s)", words);
        else
            printf(":%s", completion_is_file(o) ? "_files" : " ");
    }
    printf("' \\\n");
}

static void put_zsh_option(const struct command *c,
                           const struct command_option *o)
{
    char letter = command_letter(c, (int)(o - c->options));
    char spec[64];

    snprintf(spec, sizeof(spec), "--%s%s", o->name, o->value ? "=" : "");
    put_zsh_spec(o, spec);
    snprintf(spec, sizeof(spec), "-%c%s", letter, o->value ? "+" : "");
    if (letter != ' ')
        put_zsh_spec(o, spec);
}

void completion_zsh(void)
{
    const struct command *c;

    printf("#compdef pdump\n"
           "# zsh completion for pdump, made by `pdump completion zsh`\n"
           "_pdump()\n{\n"
           "    local -a commands\n"
           "    commands=(\n");
    for (int i = 0; (c = command_at(i)) != NULL; i++) {
        printf("        '%s:", c->name);
        put_quoted(c->about, ":\\");
        printf("'\n");
    }
    printf("        'help:Explain a command'\n"
           "    )\n"
           "    if (( CURRENT == 2 )); then\n"
           "        _describe command commands\n"
           "        return\n"
           "    fi\n"
           "    shift words\n"
           "    (( CURRENT-- ))\n"
           "    case $words[1] in\n"
           "    help) _describe command commands ;;\n");
    for (int i = 0; (c = command_at(i)) != NULL; i++) {
        printf("    %s)\n        _arguments -s -S \\\n", c->name);
        for (const struct command_option *o = c->options; o->help; o++)
            if (o->name)
                put_zsh_option(c, o);
        printf("            '--help[this text]' '*:file:%s' ;;\n",
               c == &command_completion ? "(" COMPLETION_SHELLS ")" : "_files");
    }
    printf("    esac\n}\n_pdump \"$@\"\n");
}

static void put_fish_option(const struct command *c,
                            const struct command_option *o)
{
    char letter = command_letter(c, (int)(o - c->options));
    char help[400], buf[1000];
    const char *words =
        o->value ? completion_choices(o, buf, sizeof(buf)) : NULL;

    printf("complete -c pdump -n '__fish_seen_subcommand_from %s' -l %s",
           c->name, o->name);
    if (letter != ' ')
        printf(" -s %c", letter);
    if (o->value)
        printf(completion_is_file(o) ? " -r" : " -x");
    if (words)
        printf(" -a '%s'", words);
    printf(" -d '");
    put_quoted(completion_help(o, help, sizeof(help)), "\\");
    printf("'\n");
}

void completion_fish(void)
{
    const struct command *c;

    printf("# fish completion for pdump, made by `pdump completion fish`\n");
    for (int i = 0; (c = command_at(i)) != NULL; i++) {
        printf("complete -c pdump -n __fish_use_subcommand -f -a %s -d '",
               c->name);
        put_quoted(c->about, "\\");
        printf("'\n");
        for (const struct command_option *o = c->options; o->help; o++)
            if (o->name)
                put_fish_option(c, o);
    }
    printf("complete -c pdump -n __fish_use_subcommand -f -a help -d "
           "'Explain a command'\n"
           "complete -c pdump -n '__fish_seen_subcommand_from help' -x -a '");
    for (int i = 0; (c = command_at(i)) != NULL; i++)
        printf("%s ", c->name);
    printf("'\n"
           "complete -c pdump -n '__fish_seen_subcommand_from completion' -x "
           "-a '" COMPLETION_SHELLS "'\n");
}
