/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs that read and write, for io.sh to preload libpdump-io.so into. */
#include "program/behaviour/kit.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static char data[1 << 16];

/* Every function on descriptors once, in a region. */
static void posix(void)
{
    struct iovec parts[2] = { { data, 10 }, { data, 20 } };
    off_t at = 0;
    int fd, other;

    pdump_region_begin("work");
    fd = open("file", O_RDWR | O_CREAT, 0640);
    IS(write(fd, data, 100), 100);
    IS(write(fd, data, 0), 0);
    IS(lseek(fd, 0, SEEK_SET), 0);
    IS(read(fd, data, 50), 50);
    IS(read(fd, data, 100), 50);
    IS(read(fd, data, 100), 0);
    IS(pwrite(fd, data, 1000, 4096), 1000);
    IS(pwrite(fd, data, 1000, 5096), 1000);
    IS(pread64(fd, data, 5, 7), 5);
    IS(writev(fd, parts, 2), 30);
    IS(pwritev(fd, parts, 2, 0), 30);
    IS(preadv2(fd, parts, 2, 30, 0), 30);
    IS(lseek(fd, 0, SEEK_SET), 0);
    IS(readv(fd, parts, 2), 30);
    IS(ftruncate(fd, 8192), 0);
    IS(fsync(fd), 0);
    IS(fdatasync(fd), 0);
    YES(mmap(NULL, 8192, PROT_READ, MAP_SHARED, fd, 0) != MAP_FAILED);
    other = creat("copy", 0600);
    IS(sendfile(other, fd, &at, 8192), 8192);
    IS(close(other), 0);
    other = openat(AT_FDCWD, "copy", O_WRONLY);
    IS(copy_file_range(fd, &at, other, NULL, 8192, 0), 0);
    IS(close(other), 0);
    IS(close(fd), 0);
    pdump_region_end("work");
}

static void stdio(void)
{
    char line[100], *text = NULL;
    size_t n = 0;
    FILE *f;

    pdump_region_begin("work");
    f = fopen("file", "w+");
    IS(fwrite(data, 8, 1000, f), 1000);
    IS(fputs("hello\n", f), 1);
    IS(fprintf(f, "%d %s\n", 42, "words"), 9);
    IS(fputc('x', f), 'x');
    IS(putc('\n', f), '\n');
    IS(fflush(f), 0);
    IS(fseek(f, 8000, SEEK_SET), 0);
    YES(fgets(line, sizeof(line), f));
    IS(getline(&text, &n, f), 9);
    IS(fgetc(f), 'x');
    IS(getc(f), '\n');
    IS(getc(f), EOF);
    rewind(f);
    IS(fread(line, 1, 100, f), 100);
    IS(fclose(f), 0);
    f = fopen("file", "r");
    IS(fseek(f, 8006, SEEK_SET), 0);
    IS(fscanf(f, "%99d", &(int){ 0 }), 1);
    IS(fclose(f), 0);
    pdump_region_end("work");
    free(text);
    printf("%s, %d\n", "out", 1);
    puts("more");
    fflush(NULL);
}

/* What becomes of the above with -D_FORTIFY_SOURCE=2. */
int __open_2(const char *path, int flags);
int __openat_2(int folder, const char *path, int flags);
ssize_t __read_chk(int fd, void *to, size_t n, size_t room);
ssize_t __pread_chk(int fd, void *to, size_t n, off_t offset, size_t room);
size_t __fread_chk(void *to, size_t room, size_t size, size_t n, FILE *stream);
char *__fgets_chk(char *line, size_t room, int n, FILE *stream);
int __fprintf_chk(FILE *stream, int flag, const char *format, ...);
int __printf_chk(int flag, const char *format, ...);

/* More goes than the result tells; and a name that looks like a note. */
static void parts(void)
{
    char line[40];
    int fd = open("file (deleted)", O_RDWR | O_CREAT, 0640);
    FILE *f = fdopen(fd, "w+");

    IS((int)fwrite("ab\0cd\nefg\nhij", 1, 13, f), 13);
    rewind(f);
    YES(fgets(line, sizeof(line), f)); /* 6 bytes */
    YES(fgets(line, sizeof(line), f)); /* 4 */
    YES(fgets(line, 3, f));            /* 2 */
    YES(fgets(line, sizeof(line), f)); /* the last one */
    YES(!fgets(line, sizeof(line), f));
    rewind(f);
    IS((int)fread(line, 4, 5, f), 3); /* and one byte */
    IS((int)fread(line, 1, 5, f), 0);
    IS(unlink("file (deleted)"), 0);
    IS(fclose(f), 0);
}

static void checked(void)
{
    char line[100];
    FILE *f = fopen("file", "w+");
    int fd = __open_2("file", O_RDONLY), other;

    IS(__fprintf_chk(f, 1, "%s\n%d\n", "words", 42), 9);
    rewind(f);
    YES(__fgets_chk(line, sizeof(line), 50, f));
    IS(__fread_chk(line, sizeof(line), 1, 3, f), 3);
    IS(__read_chk(fd, line, 5, sizeof(line)), 5);
    IS(__pread_chk(fd, line, 3, 6, sizeof(line)), 3);
    other = __openat_2(AT_FDCWD, "file", O_RDONLY);
    IS(close(other), 0);
    IS(__printf_chk(1, "%s\n", "out"), 4);
}

/* What fails is counted, and errno is what it would be. */
static void errors(void)
{
    int fd, ends[2];

    pdump_region_begin("work");
    errno = 0;
    IS(read(-1, data, 1), -1);
    IS(errno, EBADF);
    errno = 0;
    IS(read(1000, data, 1), -1);
    IS(errno, EBADF);
    errno = 0;
    IS(open("nowhere/file", O_RDONLY), -1);
    IS(errno, ENOENT);
    errno = 0;
    YES(!fopen("nowhere/file", "r"));
    IS(errno, ENOENT);
    fd = open("file", O_WRONLY | O_CREAT, 0600);
    errno = 0;
    IS(read(fd, data, 1), -1);
    IS(errno, EBADF);
    errno = 0;
    IS(lseek(fd, -5, SEEK_SET), -1);
    IS(errno, EINVAL);
    IS(close(fd), 0);
    errno = 0;
    IS(close(fd), -1);
    IS(errno, EBADF);
    IS(close(fd), -1);
    /* What goes well leaves it alone. */
    errno = 12345;
    fd = open("file", O_RDONLY);
    IS(read(fd, data, 1), 0);
    IS(close(fd), 0);
    IS(pipe(ends), 0);
    IS(write(ends[1], data, 1), 1);
    IS(errno, 12345);
    YES(mmap(NULL, 0, PROT_READ, MAP_SHARED, 0, 0) == MAP_FAILED);
    IS(errno, EINVAL);
    pdump_region_end("work");
}

/* Copies of descriptors are the same file, and numbers are used again. */
static void copies(void)
{
    int fd, copy, ends[2];

    OK(pdump_init()); /* it has descriptors, too */
    fd = open("first", O_WRONLY | O_CREAT, 0600);
    copy = dup(fd);
    IS(write(copy, data, 10), 10);
    IS(dup2(fd, 500), 500);
    IS(write(500, data, 10), 10);
    IS(dup3(fd, 2000, O_CLOEXEC), 2000);
    IS(write(2000, data, 10), 10);
    IS(close(fd), 0);
    IS(open("second", O_WRONLY | O_CREAT, 0600), fd);
    IS(write(fd, data, 100), 100);
    IS(write(copy, data, 10), 10);
    IS(close_range((unsigned)fd, (unsigned)copy, 0), 0);
    IS(pipe(ends), 0);
    IS(ends[0], fd);
    IS(write(ends[1], data, 7), 7);
    IS(read(ends[0], data, 100), 7);
    closefrom(fd);
    IS(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    IS(ends[0], fd);
    IS(write(ends[1], data, 3), 3);
    /* Another standard output. */
    fd = open("third", O_WRONLY | O_CREAT, 0600);
    IS(write(STDOUT_FILENO, "a\n", 2), 2);
    IS(dup2(fd, STDOUT_FILENO), STDOUT_FILENO);
    IS(write(STDOUT_FILENO, "b\n", 2), 2);
    /* And what is no standard input any more. */
    IS(close(STDIN_FILENO), 0);
    IS(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    IS(ends[0], STDIN_FILENO);
    IS(write(STDIN_FILENO, data, 3), 3);
}

/* Where in the file: only some go on where the last one ended. */
static void places(void)
{
    int fd = open("file", O_RDWR | O_CREAT, 0600);

    for (int i = 0; i < 10; i++)
        IS(write(fd, data, 100), 100);
    for (int i = 0; i < 10; i++)
        IS(pread(fd, data, 100, i * 100), 100);
    for (int i = 9; i >= 0; i--)
        IS(pread(fd, data, 10, i * 100), 10);
    for (int i = 0; i < 10; i++) {
        IS(lseek(fd, i * 50, SEEK_SET), i * 50);
        IS(read(fd, data, 50), 50);
    }
    IS(close(fd), 0);
    fd = open("file", O_WRONLY | O_APPEND);
    for (int i = 0; i < 3; i++)
        IS(write(fd, data, 1), 1);
}

/* 100 000 files, of which one is enough to see the table keep up; and some
 * thousand names. */
static void many(void)
{
    char name[32];

    for (int i = 0; i < 100000; i++)
        if (close(open("/dev/null", O_RDONLY)) != 0)
            IS(i, -1);
    for (int i = 0; i < 3000; i++) {
        snprintf(name, sizeof(name), "name%d", i);
        if (close(open(name, O_WRONLY | O_CREAT, 0600)) != 0)
            IS(i, -1);
    }
}

/* 100 000 different names, one file at a time. */
static void names(void)
{
    char name[32];

    for (int i = 0; i < 100000; i++) {
        snprintf(name, sizeof(name), "name%d", i);
        if (close(open(name, O_WRONLY | O_CREAT, 0600)) != 0)
            IS(i, -1);
        unlink(name);
    }
}

static void *write_late(void *fd)
{
    usleep(900000);
    write(*(int *)fd, data, 2);
    return NULL;
}

/* Two reads, of which one waits. */
static void waits(void)
{
    pthread_t thread;
    int ends[2];

    IS(pipe(ends), 0);
    IS(pthread_create(&thread, NULL, write_late, &ends[1]), 0);
    IS(read(ends[0], data, 1), 1);
    IS(read(ends[0], data, 1), 1);
    IS(pthread_join(thread, NULL), 0);
}

static void *write_much(void *name)
{
    for (int round = 0; round < 100; round++) {
        int fd = open(name, O_WRONLY | O_CREAT | O_APPEND, 0600);

        for (int i = 0; i < 100; i++)
            if (write(fd, data, 10) != 10)
                IS(i, -1);
        IS(close(fd), 0);
    }
    return NULL;
}

static void threads(void)
{
    static char names[4][8] = { "a", "b", "c", "d" };
    pthread_t thread[4];

    for (int i = 0; i < 4; i++)
        IS(pthread_create(&thread[i], NULL, write_much, names[i]), 0);
    for (int i = 0; i < 4; i++)
        IS(pthread_join(thread[i], NULL), 0);
}

static void expect_exit(pid_t pid, int code)
{
    int status = 0;

    IS(waitpid(pid, &status, 0), pid);
    YES(WIFEXITED(status));
    IS(WEXITSTATUS(status), code);
}

/* A child has its own descriptors. */
static void forked(void)
{
    int fd = open("file", O_WRONLY | O_CREAT, 0600);
    pid_t pid;

    IS(write(fd, data, 1), 1);
    pid = fork();
    if (pid == 0) {
        IS(write(fd, data, 10), 10);
        close(fd);
        fd = open("other", O_WRONLY | O_CREAT, 0600);
        IS(write(fd, data, 10), 10);
        _exit(n_failed ? 1 : 5);
    }
    expect_exit(pid, 5);
    IS(write(fd, data, 1), 1);
    IS(close(fd), 0);
}

/* A child of vfork() works in our memory: what it does is not ours. */
static void vforked(void)
{
    static char *const command[] = { (char *)"sh", (char *)"-c",
                                     (char *)"exit 6", NULL };
    int fd = open("file", O_WRONLY | O_CREAT, 0600), error;
    pid_t pid = vfork();

    if (pid == 0) {
        write(fd, data, 10);
        close(fd);
        open("other", O_WRONLY | O_CREAT, 0600);
        execv("/bin/sh", command);
        _exit(9);
    }
    expect_exit(pid, 6);
    IS(write(fd, data, 1), 1);
    pid = vfork();
    if (pid == 0) {
        dup2(fd, STDOUT_FILENO);
        execv("/nowhere/command", command);
        error = errno;
        write(fd, &error, sizeof(error));
        _exit(7);
    }
    expect_exit(pid, 7);
    IS(write(STDOUT_FILENO, "out\n", 4), 4);
    IS(close(fd), 0);
}

static void spawned(void)
{
    static char *const command[] = { (char *)"sh", (char *)"-c",
                                     (char *)"echo child; exit 6", NULL };
    posix_spawn_file_actions_t actions;
    char text[20] = "";
    FILE *f;
    pid_t pid;

    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "file",
                                     O_WRONLY | O_CREAT, 0600);
    IS(posix_spawn(&pid, "/bin/sh", &actions, NULL, command, environ), 0);
    expect_exit(pid, 6);
    posix_spawn_file_actions_destroy(&actions);
    IS(write(STDOUT_FILENO, "out\n", 4), 4);
    f = popen("echo popen", "r");
    YES(fgets(text, sizeof(text), f));
    IS(pclose(f), 0);
    IS(system("exit 3") >> 8, 3);
}

static _Atomic int n_alarms;

static void on_alarm(int number)
{
    (void)number;
    if (n_alarms++ < 100)
        write(STDERR_FILENO, "", 0);
}

/* A handler that writes, wherever it comes. */
static void handlers(void)
{
    const struct itimerval often = { { 0, 200 }, { 0, 200 } };
    int fd = open("/dev/null", O_RDWR);

    signal(SIGALRM, on_alarm);
    IS(setitimer(ITIMER_REAL, &often, NULL), 0);
    while (n_alarms < 100)
        write(fd, data, 1);
    setitimer(ITIMER_REAL, &(struct itimerval){ 0 }, NULL);
}

static sigjmp_buf back;

static void jump(int number)
{
    (void)number;
    siglongjmp(back, 1);
}

/* Waits that a signal puts an end to, as of old. */
static void jumps(void)
{
    int ends[2];

    IS(pipe(ends), 0);
    signal(SIGALRM, jump);
    pdump_region_begin("work");
    for (volatile int i = 0; i < 3; i++)
        if (sigsetjmp(back, 1) == 0) {
            alarm(1);
            YES(read(ends[0], data, 1) < 0);
        }
    IS(pdump_region_end("work"), PDUMP_OK);
    pdump_region_begin("next");
    IS(write(ends[1], data, 3), 3);
    IS(pdump_region_end("next"), PDUMP_OK);
}

static void on_crash(int number)
{
    (void)number;
    write(STDERR_FILENO, "crash\n", 6);
    _exit(8);
}

/* The first thing that this thread writes is that it dies. */
static void *crash(void *unused)
{
    raise(SIGSEGV);
    return unused;
}

static void crashes(void)
{
    pthread_t thread;

    signal(SIGSEGV, on_crash);
    pthread_create(&thread, NULL, crash, NULL);
    pthread_join(thread, NULL);
}

/* A thread that is cancelled while it reads. */
static void *wait_for_ever(void *fd)
{
    read(*(int *)fd, data, 1);
    return NULL;
}

static void cancelled(void)
{
    void *result = NULL;
    pthread_t thread;
    int ends[2];

    IS(pipe(ends), 0);
    IS(pthread_create(&thread, NULL, wait_for_ever, &ends[0]), 0);
    usleep(20000);
    IS(pthread_cancel(thread), 0);
    IS(pthread_join(thread, &result), 0);
    YES(result == PTHREAD_CANCELED);
    IS(write(ends[1], data, 1), 1);
}

/* Recording that is off, and sessions one after the other. */
static void sessions(void)
{
    int fd;

    OK(pdump_init());
    fd = open("file", O_RDWR | O_CREAT, 0600);
    pdump_disable_recording();
    IS(write(fd, data, 10), 10);
    close(fd);
    fd = open("other", O_RDWR | O_CREAT, 0600);
    pdump_enable_recording();
    IS(write(fd, data, 20), 20);
    OK(pdump_flush());
    OK(pdump_finalize());
    IS(write(fd, data, 40), 40);
    OK(pdump_init());
    IS(write(fd, data, 80), 80);
}

int main(int argc, char **argv)
{
    static const struct behaviour table[] = {
        { "posix", posix },       { "stdio", stdio },
        { "checked", checked },   { "errors", errors },
        { "copies", copies },     { "places", places },
        { "many", many },         { "threads", threads },
        { "forked", forked },     { "vforked", vforked },
        { "spawned", spawned },   { "handlers", handlers },
        { "crashes", crashes },   { "cancelled", cancelled },
        { "sessions", sessions }, { "names", names },
        { "waits", waits },       { "parts", parts },
        { "jumps", jumps },       { NULL, NULL },
    };

    return run_behaviour(argc, argv, table);
}
