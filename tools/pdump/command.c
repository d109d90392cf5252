/* SPDX-License-Identifier: BSD-3-Clause */
/* What the commands share: options, help and errors. */
#include "command.h"
#include "common/nearest.h"

#include "base/safe_text.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* A message may contain names from a file, so characters that control the
 * terminal are replaced.  Without a locale beyond ASCII, other bytes are left
 * as they are. */
static void put_message(FILE *f, char *text)
{
    if (MB_CUR_MAX > 1) {
        pdump_safe_text_put(f, text, 0);
        return;
    }
    pdump_safe_text_clean(text);
    fputs(text, f);
}

static void complain(const struct command *command, const char *fmt,
                     va_list args)
{
    char text[2048];

    fflush(stdout);
    fprintf(stderr, "pdump%s%s: ", command ? " " : "",
            command ? command->name : "");
    vsnprintf(text, sizeof(text), fmt, args);
    put_message(stderr, text);
    fputc('\n', stderr);
}

void command_say(const char *fmt, ...)
{
    char text[8192];
    va_list args;

    va_start(args, fmt);
    vsnprintf(text, sizeof(text), fmt, args);
    va_end(args);
    put_message(stdout, text);
    putchar('\n');
}

void command_warn(const struct command *command, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    complain(command, fmt, args);
    va_end(args);
}

int command_fail(const struct command *command, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    complain(command, fmt, args);
    va_end(args);
    return COMMAND_FAILED;
}

int command_usage(const struct command *command, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    complain(command, fmt, args);
    va_end(args);
    fprintf(stderr, "Try `pdump %s%s--help`.\n", command ? command->name : "",
            command ? " " : "");
    return COMMAND_USAGE;
}

char command_letter(const struct command *command, int option)
{
    const char *letters = command->letters ? command->letters : "";

    return option < (int)strlen(letters) ? letters[option] : ' ';
}

static bool needs_value(const struct command_option *option)
{
    return option->value && option->value[0] != '[';
}

void command_help(const struct command *command)
{
    printf("Usage: pdump %s [OPTION]... %s\n\n%s.\n", command->name,
           command->operands, command->about);
    if (command->more[0] != '\0')
        printf("\n%s\n", command->more);
    printf("\nOptions:\n");
    for (const struct command_option *o = command->options; o->help; o++) {
        char letter = command_letter(command, (int)(o - command->options));
        char left[64] = "", brief[8] = "";

        if (letter != ' ')
            snprintf(brief, sizeof(brief), "-%c, ", letter);
        if (o->name)
            snprintf(left, sizeof(left), "%s--%s%s%s", brief, o->name,
                     needs_value(o) ? "=" : "", o->value ? o->value : "");
        printf("  %-24s  %s\n", left, o->help);
    }
    printf("  %-24s  %s\n", "--help", "this text");
    if (command->put_more)
        command->put_more();
}

/* Results of next_argument() besides an option or an operand. */
enum {
    ARGUMENT_END = -1,
    ARGUMENT_HELP = -3, /* the help was printed */
    ARGUMENT_BAD = -4,  /* an error was printed */
};

static int unknown(const struct command_arguments *args, const char *name,
                   size_t len)
{
    char word[64], buf[400];
    struct nearest near = { .word = word };

    snprintf(word, sizeof(word), "%.*s", (int)len, name);
    for (const struct command_option *o = args->command->options; o->help; o++)
        if (o->name)
            nearest_offer(&near, o->name);
    nearest_offer(&near, "help");
    command_usage(args->command, "unknown option --%s%s", word,
                  nearest_text(&near, "--", buf));
    return ARGUMENT_BAD;
}

/* `text` is what follows the "--". */
static int long_option(struct command_arguments *args, char *text, char **value)
{
    const struct command_option *options = args->command->options;
    size_t len = strcspn(text, "=");

    for (int i = 0; options[i].help; i++) {
        if (!options[i].name || strlen(options[i].name) != len ||
            strncmp(options[i].name, text, len) != 0)
            continue;
        *value = text[len] == '=' ? text + len + 1 : NULL;
        if (*value && !options[i].value) {
            command_usage(args->command, "--%s takes no value",
                          options[i].name);
            return ARGUMENT_BAD;
        }
        if (!*value && needs_value(&options[i])) {
            if (args->at == args->argc) {
                command_usage(args->command, "--%s needs a value: %s",
                              options[i].name, options[i].value);
                return ARGUMENT_BAD;
            }
            *value = args->argv[args->at++];
        }
        return i;
    }
    if (strncmp(text, "help=", 5) == 0) {
        command_usage(args->command, "--help takes no value");
        return ARGUMENT_BAD;
    }
    return unknown(args, text, len);
}

/* `text` is what follows the "-". */
static int short_option(struct command_arguments *args, char *text,
                        char **value)
{
    const struct command_option *options = args->command->options;

    for (int i = 0; options[i].help; i++) {
        if (command_letter(args->command, i) != text[0] || text[0] == ' ')
            continue;
        if (!options[i].value && text[1] == '\0')
            return i;
        if (options[i].value && text[1] == '\0' && args->at == args->argc) {
            command_usage(args->command, "-%c needs a value: %s", text[0],
                          options[i].value);
            return ARGUMENT_BAD;
        }
        if (!options[i].value)
            break;
        *value = text[1] != '\0' ? text + 1 : args->argv[args->at++];
        return i;
    }
    command_usage(args->command, "unknown option -%s", text);
    return ARGUMENT_BAD;
}

/* Returns the row of an option, with its value or NULL in *value; or one of the
 * above; an operand is in *value. */
static int next_argument(struct command_arguments *args, char **value)
{
    char *text;

    if (args->at == args->argc)
        return ARGUMENT_END;
    text = args->argv[args->at++];
    *value = text;
    if (args->has_ended || text[0] != '-' || text[1] == '\0')
        return ARGUMENT_OPERAND;
    if (strcmp(text, "--") == 0) {
        args->has_ended = true;
        return next_argument(args, value);
    }
    if (strcmp(text, "--help") == 0 || strcmp(text, "-h") == 0) {
        command_help(args->command);
        return ARGUMENT_HELP;
    }
    if (text[1] != '-')
        return short_option(args, text + 1, value);
    return long_option(args, text + 2, value);
}

int command_parse(const struct command *command, int argc, char **argv,
                  command_take *take, void *data)
{
    struct command_arguments args = {
        .command = command, .argc = argc, .argv = argv, .data = data
    };
    char *value = NULL;
    int which, code = -1;

    while (code < 0 && (which = next_argument(&args, &value)) != ARGUMENT_END) {
        if (which == ARGUMENT_HELP)
            return COMMAND_OK;
        if (which == ARGUMENT_BAD)
            return COMMAND_USAGE;
        code = take(&args, which, value);
    }
    return code;
}

bool command_number(const char *text, double low, double high, double *out)
{
    char *end;

    errno = 0;
    *out = strtod(text, &end);
    return errno == 0 && end != text && *end == '\0' && *out >= low &&
           *out <= high;
}

int command_width(int fallback)
{
    const char *columns = getenv("COLUMNS");
    int width = columns ? atoi(columns) : 0;
    struct winsize size;

    if (width > 0 && width < 10000)
        return width;
    if (!isatty(STDOUT_FILENO))
        return fallback;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    return 80;
}

/* NO_COLOR (https://no-color.org) only applies to "auto". */
bool command_color(const char *when, bool *out)
{
    const char *no = getenv("NO_COLOR");
    const char *term = getenv("TERM");

    if (strcmp(when, "auto") == 0)
        *out = isatty(STDOUT_FILENO) && !(no && no[0] != '\0') && term &&
               strcmp(term, "dumb") != 0;
    else
        *out = strcmp(when, "always") == 0;
    return strcmp(when, "auto") == 0 || strcmp(when, "always") == 0 ||
           strcmp(when, "never") == 0;
}
