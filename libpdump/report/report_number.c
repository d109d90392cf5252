/* SPDX-License-Identifier: BSD-3-Clause */
/* Formats figures: three digits, and a unit with a suitable prefix. */
#include "report/report_number.h"
#include "base/round.h"
#include "base/safe_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Units that take a prefix, and units that are a multiple of another one. */
static const struct unit {
    const char *name;
    const char *base;
    double factor;
} units[] = {
    { "1", "", 1 },      { "ratio", "", 1 },     { "", "", 1 },
    { "ns", "s", 1e-9 }, { "us", "s", 1e-6 },    { "ms", "s", 1e-3 },
    { "s", "s", 1 },     { "B", "B", 1 },        { "bytes", "B", 1 },
    { "kB", "B", 1e3 },  { "KB", "B", 1e3 },     { "KiB", "B", 1024 },
    { "MB", "B", 1e6 },  { "MiB", "B", 0x1p20 }, { "Hz", "Hz", 1 },
    { "B/s", "B/s", 1 }, { "J", "J", 1 },        { "mJ", "J", 1e-3 },
    { "uJ", "J", 1e-6 }, { "nJ", "J", 1e-9 },    { "W", "W", 1 },
    { "mW", "W", 1e-3 }, { "uW", "W", 1e-6 },    { "FLOP/s", "FLOP/s", 1 },
};

static const struct prefix {
    const char *name;
    double factor;
} prefixes[] = {
    { "n", 1e-9 }, { "u", 1e-6 }, { "m", 1e-3 }, { "", 1 },     { "k", 1e3 },
    { "M", 1e6 },  { "G", 1e9 },  { "T", 1e12 }, { "P", 1e15 }, { "E", 1e18 },
};

enum { N_PREFIXES = sizeof(prefixes) / sizeof(prefixes[0]), NO_PREFIX = 3 };

static const struct unit *find_unit(const char *name)
{
    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
        if (strcmp(units[i].name, name) == 0)
            return &units[i];
    }
    return NULL;
}

/* Rounds to three significant digits; 999.7 becomes a thousand. */
static double rounded_number(double value)
{
    double size = fabs(value), step = 1;

    if (!(size > 1e-300 && size < 1e300))
        return value;
    while (size >= 1000 * step)
        step *= 10;
    while (size < 100 * step)
        step /= 10;
    return (double)pdump_round(value / step) * step;
}

static void put_digits(double value, bool is_whole,
                       struct pdump_report_number *out)
{
    double size = fabs(value);
    int places = is_whole || size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2;

    if (size >= 1e6)
        snprintf(out->digits, sizeof(out->digits), "%.2e", value);
    else if (size > 0 && size < 0.005)
        snprintf(out->digits, sizeof(out->digits), "%s0.01",
                 value < 0 ? ">-" : "<");
    else
        snprintf(out->digits, sizeof(out->digits), "%.*f", places, value);
}

/* Only times and energies have prefixes below one, and there are no
 * kiloseconds. */
static int choose_prefix(double value, const struct unit *unit)
{
    bool is_time = strcmp(unit->base, "s") == 0;
    int lowest = is_time || unit->factor < 1 ? 0 : NO_PREFIX;
    double size = fabs(rounded_number(value));
    int i = is_time ? NO_PREFIX : N_PREFIXES - 1;

    while (i > lowest && size < prefixes[i].factor * (1 - 1e-9))
        i--;
    return i;
}

static void make_percent(double value, struct pdump_report_number *out)
{
    if (value > 0 && value < 0.05)
        snprintf(out->digits, sizeof(out->digits), "<0.1");
    else if (fabs(value) >= 1e4)
        snprintf(out->digits, sizeof(out->digits), "%.2e", value);
    else
        snprintf(out->digits, sizeof(out->digits), "%.1f", value);
    snprintf(out->unit, sizeof(out->unit), "%%");
}

void pdump_report_number_make(double value, const char *unit, bool is_utf8,
                              struct pdump_report_number *out)
{
    const struct unit *known = find_unit(unit);
    struct unit other = { unit, unit, 1 };
    const char *prefix;
    double scaled;
    int i;

    out->unit[0] = '\0';
    if (isnan(value) || value == 0) {
        snprintf(out->digits, sizeof(out->digits), isnan(value) ? "-" : "0");
        return;
    }
    if (strcmp(unit, "%") == 0) {
        make_percent(value, out);
        return;
    }
    if (!known)
        known = &other;
    i = choose_prefix(value * known->factor, known);
    prefix = prefixes[i].name;
    if (is_utf8 && prefix[0] == 'u')
        prefix = "\u00b5";
    scaled = value * known->factor / prefixes[i].factor;
    if (fabs(scaled) < 1000)
        scaled = rounded_number(scaled);
    put_digits(scaled,
               value == trunc(value) && strcmp(unit, "ratio") != 0 &&
                   prefixes[i].factor <= known->factor,
               out);
    /* A blank separates the prefix from an unknown unit, which could be
     * misread. */
    snprintf(out->unit, sizeof(out->unit), "%s%s%.16s", prefix,
             known == &other && prefix[0] ? " " : "", known->base);
    pdump_safe_text_clean(out->unit); /* it may be that of a file */
}

void pdump_report_number_count(int64_t value, struct pdump_report_number *out)
{
    out->unit[0] = '\0';
    if (value < 1000000 && value > -1000000)
        snprintf(out->digits, sizeof(out->digits), "%" PRId64, value);
    else
        pdump_report_number_make((double)value, "1", false, out);
}

const char *pdump_report_number_text(double value, const char *unit,
                                     bool is_utf8, char buf[48])
{
    struct pdump_report_number number;

    pdump_report_number_make(value, unit, is_utf8, &number);
    snprintf(buf, 48, "%s%s%s", number.digits, number.unit[0] ? " " : "",
             number.unit);
    return buf;
}
