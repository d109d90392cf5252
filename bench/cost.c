/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a command takes: cost COMMAND [ARGUMENT...]
 * Prints seconds from start to end, seconds of the processor, and the most
 * memory that it had at once, in kB.  What the command prints is dropped; its
 * exit code is ours.  After five minutes it is killed.
 */
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { LIMIT = 300, NOT_FOUND = 127 };

static double seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double of(struct timeval time)
{
    return (double)time.tv_sec + 1e-6 * (double)time.tv_usec;
}

int main(int argc, char **argv)
{
    double begin = seconds();
    struct rusage use;
    int status;
    pid_t pid;

    if (argc < 2)
        return 2;
    pid = fork();
    if (pid == 0) {
        int nowhere = open("/dev/null", O_WRONLY);

        dup2(nowhere, STDOUT_FILENO);
        alarm(LIMIT); /* exec keeps it */
        execvp(argv[1], argv + 1);
        perror(argv[1]);
        _exit(NOT_FOUND);
    }
    if (pid < 0 || wait4(pid, &status, 0, &use) != pid)
        return 1;
    printf("%.4f %.4f %ld\n", seconds() - begin,
           of(use.ru_utime) + of(use.ru_stime), use.ru_maxrss);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
