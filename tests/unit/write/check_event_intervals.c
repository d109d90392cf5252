/* SPDX-License-Identifier: BSD-3-Clause */
/* Events as pictures of them need them, and in the formats that have a
 * timeline. */
#include "lanes_kit.h"
#include "write/message_match.h"
#include "write/sink.h"
#include "suite.h"
#include "write/event_intervals.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct pdump_dump *made;

static void make(void)
{
    made = kit_lanes(true);
    ck_assert_msg(made != NULL, "%s", pdump_last_error());
}

static void clean_up(void)
{
    pdump_dump_free(made);
}

/* "+0@0" begins node 0 at 0, "-" ends; others are their kinds' numbers. */
static void tell(char *text, const struct pdump_event *event)
{
    sprintf(text + strlen(text), " %c%d@%d",
            event->kind == PDUMP_EVENT_ENTER   ? '+'
            : event->kind == PDUMP_EVENT_LEAVE ? '-'
                                               : '0' + (int)event->kind,
            (int)event->node, (int)event->time);
}

START_TEST(regions_come_in_pairs)
{
    struct pdump_event_interval track;
    struct pdump_event event;
    char text[1000] = "";

    pdump_event_interval_open(&track, made, 0);
    while (pdump_event_interval_next(&track, &event) > 0)
        tell(text, &event);
    ck_assert_int_eq(pdump_event_interval_next(&track, &event), 0);
    pdump_event_interval_close(&track);
    ck_assert_str_eq(text, " +0@0 +1@1000 31@1500 51@2000 -1@3000 40@3001 "
                           "50@3100 70@3200 80@4000 +1@5000 +2@5000 -2@5000 "
                           "-1@5000 -0@5000");
}
END_TEST

/* What the thread was in before the gap ends, but for what is still open. */
START_TEST(a_gap_ends_what_was_left)
{
    const struct pdump_event events[] = {
        { 1, PDUMP_EVENT_ENTER, 0, 0, 0, 0 },
        { 2, PDUMP_EVENT_ENTER, 1, 0, 0, 0 },
        { 3, PDUMP_EVENT_ENTER, 2, 0, 0, 0 },
        { 7, PDUMP_EVENT_AT, 3, 0, 0, 0 },
        { 8, PDUMP_EVENT_LEAVE, 3, 0, 0, 0 },
        { 9, PDUMP_EVENT_AT, -1, 0, 0, 0 },
    };
    struct pdump_builder *b;
    struct pdump_event_interval track;
    struct pdump_event event;
    char text[1000] = "";

    pdump_dump_free(made);
    ck_assert_int_eq(pdump_builder_new(&b), PDUMP_OK);
    for (int i = 0; i < 4; i++)
        pdump_builder_node(b, i == 3 ? 0 : i - 1, kit_region(b, "r", ""));
    pdump_builder_node(b, 0, kit_region(b, "other", ""));
    pdump_builder_process(b, &(struct pdump_dump_process){ .pid = 1 });
    pdump_builder_thread(b, &(struct pdump_dump_thread){ .number = 0 });
    ck_assert_int_eq(KIT_EVENTS(b, 0, events), PDUMP_OK);
    ck_assert_int_eq(pdump_builder_finish(b, &made), PDUMP_OK);
    pdump_builder_free(b);
    pdump_event_interval_open(&track, made, 0);
    while (pdump_event_interval_next(&track, &event) > 0)
        tell(text, &event);
    pdump_event_interval_close(&track);
    ck_assert_str_eq(text, " +0@1 +1@2 +2@3 -2@7 -1@7 +3@7 -3@8 -0@9");
}
END_TEST

START_TEST(all_lanes_in_order_of_time)
{
    struct pdump_event_intervals tracks;
    struct pdump_event event;
    int64_t before = 0;
    int lane, n[3] = { 0 };

    ck_assert_int_eq(pdump_event_intervals_open(&tracks, made), PDUMP_OK);
    while (pdump_event_intervals_next(&tracks, &event, &lane) > 0) {
        ck_assert_int_ge(event.time, before);
        before = event.time;
        n[lane]++;
    }
    pdump_event_intervals_close(&tracks);
    ck_assert_int_eq(n[0], 14);
    ck_assert_int_eq(n[1], 2);
    ck_assert_int_eq(n[2], 3);
}
END_TEST

START_TEST(messages_that_have_both_ends)
{
    struct pdump_event event = { 0, PDUMP_EVENT_SEND, 0, 1, 8, 7 };
    struct pdump_message_match messages;
    struct pdump_stream *in;

    ck_assert_int_eq(pdump_stream_of(made, &in), PDUMP_OK);
    ck_assert_int_eq(in->n_pieces, 2);
    ck_assert_int_eq(pdump_message_match_of(in, &messages), PDUMP_OK);
    ck_assert_int_eq(messages.n, 1);
    ck_assert_int_eq(messages.n_events, pdump_event_lanes_count(made));
    ck_assert_int_eq(pdump_message_match_number(&messages, 0, &event), 1);
    ck_assert_int_eq(pdump_message_match_number(&messages, 0, &event), 0);
    event.tag = 9;
    ck_assert_int_eq(pdump_message_match_number(&messages, 0, &event), 0);
    event = (struct pdump_event){ 0, PDUMP_EVENT_RECEIVE, 0, 0, 8, 7 };
    ck_assert_int_eq(pdump_message_match_number(&messages, 1, &event), 1);
    pdump_message_match_free(&messages);
    pdump_stream_free(in);
}
END_TEST

/* The send of the first message is lost: only its receive is there, and belongs
 * to nothing. */
START_TEST(messages_of_rings)
{
    struct pdump_event send = { 1, PDUMP_EVENT_SEND, -1, 1, 8, 7 };
    struct pdump_event receive = { 2, PDUMP_EVENT_RECEIVE, -1, 0, 8, 7 };
    struct pdump_message_match messages;
    struct pdump_stream *in;
    struct pdump_builder *b;

    pdump_dump_free(made);
    ck_assert_int_eq(pdump_builder_new(&b), PDUMP_OK);
    pdump_builder_node(b, -1, kit_region(b, "main", ""));
    pdump_builder_metric(b, &(struct pdump_dump_metric){ .name = "time" });
    pdump_builder_metadata(b, "events_mode", "ring");
    for (int thread = 0; thread < 2; thread++)
        kit_thread(b, thread, 0);
    pdump_builder_event(b, 0, &send);
    pdump_builder_event(b, 1, &receive);
    pdump_builder_event(b, 1, &receive);
    ck_assert_int_eq(pdump_builder_finish(b, &made), PDUMP_OK);
    pdump_builder_free(b);
    ck_assert_int_eq(pdump_stream_of(made, &in), PDUMP_OK);
    ck_assert_int_eq(pdump_message_match_of(in, &messages), PDUMP_OK);
    ck_assert_int_eq(pdump_message_match_number(&messages, 0, &send), 1);
    ck_assert_int_eq(pdump_message_match_number(&messages, 1, &receive), 0);
    ck_assert_int_eq(pdump_message_match_number(&messages, 1, &receive), 1);
    pdump_message_match_free(&messages);
    pdump_stream_free(in);
}
END_TEST

/* As many different tags as a table needs to grow. */
START_TEST(many_messages)
{
    enum { N = 10000 };
    struct pdump_message_match messages;
    struct pdump_stream *in;
    struct pdump_builder *b;

    pdump_dump_free(made);
    ck_assert_int_eq(pdump_builder_new(&b), PDUMP_OK);
    pdump_builder_node(b, -1, kit_region(b, "main", ""));
    pdump_builder_metric(b, &(struct pdump_dump_metric){ .name = "time" });
    for (int thread = 0; thread < 2; thread++) {
        kit_thread(b, thread, 0);
        for (int i = 0; i < N; i++) {
            struct pdump_event event = {
                i,          thread ? PDUMP_EVENT_RECEIVE : PDUMP_EVENT_SEND,
                -1,         !thread,
                thread * 8, thread ? N - 1 - i : i
            };

            ck_assert_int_eq(pdump_builder_event(b, thread, &event), PDUMP_OK);
        }
    }
    ck_assert_int_eq(pdump_builder_finish(b, &made), PDUMP_OK);
    pdump_builder_free(b);
    ck_assert_int_eq(pdump_stream_of(made, &in), PDUMP_OK);
    ck_assert_int_eq(pdump_message_match_of(in, &messages), PDUMP_OK);
    ck_assert_int_eq(messages.n, N);
    for (int i = 0; i < N; i++) {
        struct pdump_event send = { 0, PDUMP_EVENT_SEND, 0, 1, 0, i };
        struct pdump_event receive = { 0, PDUMP_EVENT_RECEIVE, 0, 0, 0, i };
        int64_t number = pdump_message_match_number(&messages, 0, &send);

        ck_assert_int_ge(number, 1);
        ck_assert_int_le(number, N);
        ck_assert_int_eq(pdump_message_match_number(&messages, 1, &receive),
                         number);
    }
    pdump_message_match_free(&messages);
    pdump_stream_free(in);
}
END_TEST

/* The file that a format makes of the dump. */
static const char *exported(const char *format)
{
    static char text[20000];
    char path[] = "/tmp/pdump-timeline-XXXXXX";
    const struct pdump_sink *sink;
    int fd = mkstemp(path);
    FILE *f;
    size_t n;

    ck_assert_int_ge(fd, 0);
    close(fd);
    ck_assert_int_eq(pdump_sink_find(format, &sink), PDUMP_OK);
    ck_assert_msg(pdump_sink_write(&sink->parts[0], made, path) == PDUMP_OK,
                  "%s", pdump_last_error());
    f = fopen(path, "r");
    ck_assert_ptr_nonnull(f);
    n = fread(text, 1, sizeof(text) - 1, f);
    text[n] = '\0';
    fclose(f);
    unlink(path);
    return text;
}

START_TEST(chrome_has_the_timeline)
{
    const char *text = exported("chrome");
    const char *at = strstr(text, ",\n{\"ph\":\"B\"");

    ck_assert_ptr_nonnull(strstr(text, "\"events\":\"a timeline"));
    ck_assert_ptr_nonnull(strstr(text, "\"rank 0, pid 40 on h: timeline\""));
    ck_assert_ptr_nonnull(at);
    ck_assert_ptr_eq(
        strstr(at, ",\n{\"ph\":\"B\",\"pid\":1,\"tid\":1,\"ts\":0,"
                   "\"name\":\"main\",\"cat\":\"user\"}"
                   ",\n{\"ph\":\"B\",\"pid\":1,\"tid\":2,\"ts\":0.5,"
                   "\"name\":\"main\",\"cat\":\"user\"}"
                   ",\n{\"ph\":\"B\",\"pid\":1,\"tid\":1,\"ts\":1,"
                   "\"name\":\"solve \\\"x\\\"\",\"cat\":\"user\"}"
                   ",\n{\"ph\":\"i\",\"pid\":1,\"tid\":1,\"ts\":1.5,"
                   "\"s\":\"t\",\"name\":\"here\",\"cat\":\"marker\"}"
                   ",\n{\"ph\":\"s\",\"pid\":1,\"tid\":1,\"ts\":2,"
                   "\"id\":1,\"name\":\"message\",\"cat\":\"message\","
                   "\"args\":{\"to\":1,\"bytes\":8,\"tag\":7}}"
                   ",\n{\"ph\":\"E\",\"pid\":1,\"tid\":2,\"ts\":2.5}"
                   ",\n{\"ph\":\"E\",\"pid\":1,\"tid\":1,\"ts\":3}"
                   ",\n{\"ph\":\"C\",\"pid\":1,\"tid\":1,\"ts\":3.001,\"id\":1,"
                   "\"name\":\"PAPI_TOT_INS\",\"args\":{\"value\":-77}}"
                   ",\n{\"ph\":\"i\",\"pid\":1,\"tid\":1,\"ts\":3.1,"
                   "\"s\":\"t\",\"name\":\"send\",\"cat\":\"message\","
                   "\"args\":{\"to\":1,\"bytes\":16,\"tag\":9}}"
                   ",\n{\"ph\":\"i\",\"pid\":1,\"tid\":1,\"ts\":3.2,"
                   "\"s\":\"t\",\"name\":\"collective\",\"cat\":\"message\","
                   "\"args\":{\"ranks\":2,\"bytes\":64,\"group\":5,"
                   "\"number\":3}}"
                   ",\n{\"ph\":\"i\",\"pid\":1,\"tid\":1,\"ts\":4,\"s\":\"t\","
                   "\"name\":\"events are missing here\",\"cat\":\"lost\","
                   "\"args\":{\"events\":12}}"
                   ",\n{\"ph\":\"B\",\"pid\":1,\"tid\":1,\"ts\":5,"),
        at);
    ck_assert_ptr_nonnull(
        strstr(at, ",\n{\"ph\":\"f\",\"pid\":2,\"tid\":3,\"ts\":2.2,"
                   "\"bp\":\"e\",\"id\":1,\"name\":\"message\""));
    ck_assert_ptr_null(strstr(at, "\"ph\":\"X\""));
}
END_TEST

START_TEST(speedscope_has_the_timeline)
{
    const char *text = exported("speedscope");

    ck_assert_ptr_nonnull(
        strstr(text, "\"name\":\"rank 0, process 40, thread 0\",\"unit\":"
                     "\"nanoseconds\",\"startValue\":0,\"events\":[\n"
                     "{\"type\":\"O\",\"frame\":0,\"at\":0},\n"
                     "{\"type\":\"O\",\"frame\":1,\"at\":1000},\n"
                     "{\"type\":\"C\",\"frame\":1,\"at\":3000},\n"
                     "{\"type\":\"O\",\"frame\":1,\"at\":5000},\n"
                     "{\"type\":\"O\",\"frame\":2,\"at\":5000},\n"
                     "{\"type\":\"C\",\"frame\":2,\"at\":5000},\n"
                     "{\"type\":\"C\",\"frame\":1,\"at\":5000},\n"
                     "{\"type\":\"C\",\"frame\":0,\"at\":5000}],"
                     "\"endValue\":5000},\n"));
    ck_assert_ptr_nonnull(strstr(text,
                                 "thread 1: worker\",\"unit\":\"nanoseconds\","
                                 "\"startValue\":0,\"events\":[\n"
                                 "{\"type\":\"O\",\"frame\":0,\"at\":500},\n"
                                 "{\"type\":\"C\",\"frame\":0,\"at\":2500}],"));
    ck_assert_ptr_nonnull(strstr(text, "\"rank 1, process 41, thread 0\""));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("timeline");
    TCase *tc = tcase_create("timeline");

    tcase_add_checked_fixture(tc, make, clean_up);
    tcase_add_test(tc, regions_come_in_pairs);
    tcase_add_test(tc, a_gap_ends_what_was_left);
    tcase_add_test(tc, all_lanes_in_order_of_time);
    tcase_add_test(tc, messages_that_have_both_ends);
    tcase_add_test(tc, messages_of_rings);
    tcase_add_test(tc, many_messages);
    tcase_add_test(tc, chrome_has_the_timeline);
    tcase_add_test(tc, speedscope_has_the_timeline);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
