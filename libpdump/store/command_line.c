/* SPDX-License-Identifier: BSD-3-Clause */
/* The command line of this process, without its secrets. */
#include "store/command_line.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

/* SECURITY.md lists them, too. */
static const char *const secrets[] = {
    "password",    "passwd",      "passphrase", "pwd",
    "secret",      "token",       "apikey",     "api-key",
    "api_key",     "access-key",  "access_key", "credential",
    "private-key", "private_key", "secretkey",  "accesskey"
};

enum { WORDS_MAX = 1 << 14 };

/* Contains a word of the list that ends there: "--max-tokens" does not. */
static bool is_secret(const char *name, size_t n)
{
    for (size_t i = 0; i < sizeof(secrets) / sizeof(secrets[0]); i++) {
        size_t len = strlen(secrets[i]);

        for (size_t at = 0; at + len <= n; at++)
            if (strncasecmp(name + at, secrets[i], len) == 0 &&
                (at + len == n || !isalpha((unsigned char)name[at + len])))
                return true;
    }
    return false;
}

struct text {
    char *at;
    size_t room; /* without the final NUL */
};

static void text_add(struct text *t, const char *from, size_t n)
{
    n = n < t->room ? n : t->room;
    memcpy(t->at, from, n);
    t->at += n;
    t->room -= n;
}

/* Returns the password in a URL; `n` gets its length. */
static const char *url_password(const char *word, size_t *n)
{
    const char *user = strstr(word, "://"), *host, *colon;

    if (!user)
        return NULL;
    user += 3;
    host = user + strcspn(user, "@/");
    colon = memchr(user, ':', (size_t)(host - user));
    if (*host != '@' || !colon)
        return NULL;
    *n = (size_t)(host - colon) - 1;
    return colon + 1;
}

/* Returns true if the next word is the value of this one. */
static bool word_add(struct text *t, const char *word)
{
    size_t len = strlen(word), n = strcspn(word, "="), hidden = 0;
    bool is_named = is_secret(word, n);
    const char *from = NULL;

    if (is_named && word[n]) {
        from = word + n + 1;
        hidden = len - n - 1;
    } else {
        from = url_password(word, &hidden);
    }
    if (!from) {
        text_add(t, word, len);
        return is_named && *word == '-';
    }
    text_add(t, word, (size_t)(from - word));
    text_add(t, "***", 3);
    text_add(t, from + hidden, strlen(from + hidden));
    return false;
}

void pdump_command_line_text(const char *words, size_t n, char *out, size_t len)
{
    struct text t = { out, len - 1 };
    const char *end = words + n;
    bool is_value = false;

    for (const char *word = words; word < end; word += strlen(word) + 1) {
        if (word > words)
            text_add(&t, " ", 1);
        if (is_value && *word != '-') {
            text_add(&t, "***", 3);
            is_value = false;
        } else {
            is_value = word_add(&t, word);
        }
    }
    *t.at = '\0';
}

void pdump_command_line(char *out, size_t len)
{
    char words[WORDS_MAX];
    int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? 0 : read(fd, words, sizeof(words) - 1);

    if (fd >= 0)
        close(fd);
    if (n < 0)
        n = 0;
    words[n] = '\0';
    while (n > 0 && words[n - 1] == '\0')
        n--;
    pdump_command_line_text(words, (size_t)n, out, len);
}
