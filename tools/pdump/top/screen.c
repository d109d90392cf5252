/* SPDX-License-Identifier: BSD-3-Clause */
/* Uses the terminal to show pages and read keys, and restores it at the end. */
#include "top/screen.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

/* Alternate screen, no cursor, no line wrap; and everything back. */
static const char take_over[] = "\033[?1049h\033[?25l\033[?7l\033[H\033[J";
static const char give_back[] = "\033[?7h\033[?25h\033[?1049l";

enum { HEAD = 2 }; /* lines that do not scroll */

static const int polite[] = { SIGINT,  SIGTERM, SIGHUP,
                              SIGQUIT, SIGTSTP, SIGWINCH };
static const int violent[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };

static struct termios before;
static bool has_keys; /* standard input is the terminal, too */
static volatile sig_atomic_t is_open;
static volatile sig_atomic_t caught; /* the last of the polite signals */
static sigset_t normal;              /* signal mask while waiting */

/* Only calls what a signal handler may call. */
static void put(const char *text, size_t len)
{
    while (len > 0) {
        ssize_t n = write(STDOUT_FILENO, text, len);

        if (n < 0 && errno != EINTR)
            return;
        text += n > 0 ? n : 0;
        len -= n > 0 ? (size_t)n : 0;
    }
}

static void leave(void)
{
    if (!is_open)
        return;
    is_open = false;
    put(give_back, sizeof(give_back) - 1);
    if (has_keys)
        tcsetattr(STDIN_FILENO, TCSADRAIN, &before);
}

static void enter(void)
{
    struct termios raw = before;

    raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    raw.c_cc[VMIN] = 0;
    raw.c_cc[VTIME] = 0;
    if (has_keys)
        tcsetattr(STDIN_FILENO, TCSADRAIN, &raw);
    is_open = true;
    put(take_over, sizeof(take_over) - 1);
}

static void on_polite(int number)
{
    caught = number;
}

static void on_violent(int number)
{
    leave();
    raise(number); /* by default now: SA_RESETHAND */
}

static void catch_signals(void)
{
    struct sigaction noted = { .sa_handler = on_polite };
    struct sigaction last = { .sa_handler = on_violent,
                              .sa_flags = SA_RESETHAND | SA_NODEFER };
    sigset_t mask;

    /* These signals are delivered only while we wait. */
    sigemptyset(&mask);
    for (size_t i = 0; i < sizeof(polite) / sizeof(polite[0]); i++)
        sigaddset(&mask, polite[i]);
    sigprocmask(SIG_BLOCK, &mask, &normal);
    for (size_t i = 0; i < sizeof(polite) / sizeof(polite[0]); i++) {
        sigaction(polite[i], &noted, NULL);
        sigdelset(&normal, polite[i]);
    }
    for (size_t i = 0; i < sizeof(violent) / sizeof(violent[0]); i++)
        sigaction(violent[i], &last, NULL);
}

bool screen_open(void)
{
    const char *term = getenv("TERM");

    if (!isatty(STDOUT_FILENO) || !term || strcmp(term, "dumb") == 0)
        return false;
    has_keys = tcgetattr(STDIN_FILENO, &before) == 0;
    fflush(stdout);
    catch_signals();
    atexit(leave);
    enter();
    return true;
}

/* Lets the signal do what it does by default. */
static void obey(int number)
{
    signal(number, SIG_DFL);
    raise(number);
    sigprocmask(SIG_SETMASK, &normal, NULL);
}

void screen_close(void)
{
    leave();
    if (caught)
        obey(caught);
}

/* Ctrl-Z: gives the terminal back to the shell until we are continued. */
static void stop(void)
{
    struct sigaction noted = { .sa_handler = on_polite };
    sigset_t mask;

    leave();
    obey(SIGTSTP);
    sigaction(SIGTSTP, &noted, NULL);
    sigemptyset(&mask);
    for (size_t i = 0; i < sizeof(polite) / sizeof(polite[0]); i++)
        sigaddset(&mask, polite[i]);
    sigprocmask(SIG_BLOCK, &mask, NULL);
    enter();
}

static struct winsize size(void)
{
    struct winsize now = { 0 };

    ioctl(STDOUT_FILENO, TIOCGWINSZ, &now);
    if (now.ws_col == 0)
        now.ws_col = 80;
    if (now.ws_row == 0)
        now.ws_row = 24;
    return now;
}

int screen_width(void)
{
    return size().ws_col;
}

/* Returns the bytes of a line that fit on the screen; colours take no
 * column. */
static size_t fitting(const char *line, size_t len, int width)
{
    for (size_t i = 0; i < len; i++) {
        if (line[i] == '\033')
            i += strcspn(line + i, "m");
        else if ((line[i] & 0xc0) != 0x80 && width-- == 0)
            return i;
    }
    return len;
}

void screen_show(const char *text, int from)
{
    int rows = size().ws_row, width = screen_width();
    char *page = NULL;
    size_t len = 0;
    FILE *f = open_memstream(&page, &len);

    if (!f)
        return;
    fputs("\033[H", f);
    for (int line = 0, shown = 0; *text && shown < rows; line++) {
        size_t n = strcspn(text, "\n");

        if (line < HEAD || line >= HEAD + from) {
            /* No newline after the last line, because it would scroll the page.
             * Each line is erased before it is written, because the cursor of a
             * full line stands on its last character. */
            fprintf(f, "%s\033[K%.*s\033[m", shown > 0 ? "\r\n" : "",
                    (int)fitting(text, n, width), text);
            shown++;
        }
        text += n + (text[n] == '\n');
    }
    fputs("\033[J", f);
    if (fclose(f) == 0)
        put(page, len);
    free(page);
}

/* Returns one key; keys typed ahead stay for the next call. */
static int read_key(void)
{
    char key[4] = "";
    ssize_t n = read(STDIN_FILENO, key, 1);

    if (n <= 0)
        return n < 0 && errno == EINTR ? SCREEN_AGAIN : SCREEN_END;
    if (key[0] != '\033')
        return (unsigned char)key[0];
    if (read(STDIN_FILENO, key + 1, 2) == 2 &&
        (key[1] == '[' || key[1] == 'O')) {
        if (key[2] == 'A')
            return SCREEN_UP;
        if (key[2] == 'B')
            return SCREEN_DOWN;
    }
    return SCREEN_AGAIN;
}

int screen_wait(double seconds)
{
    struct pollfd input = { .fd = has_keys ? STDIN_FILENO : -1,
                            .events = POLLIN };
    struct timespec limit = { .tv_sec = (time_t)seconds };
    int n;

    limit.tv_nsec = (long)((seconds - (double)limit.tv_sec) * 1e9);
    n = ppoll(&input, 1, &limit, &normal);
    if (n > 0)
        return read_key();
    if (n == 0)
        return SCREEN_TIMEOUT;
    if (caught == SIGTSTP)
        stop();
    if (caught == SIGTSTP || caught == SIGWINCH) {
        caught = 0;
        return SCREEN_AGAIN;
    }
    return caught ? SCREEN_END : SCREEN_AGAIN;
}
