# SPDX-License-Identifier: BSD-3-Clause
"""Events in formats of other programs: timeline.py FORMAT FILE EVENTS.csv

Regions nest in every thread and time does not go back, arrows have two ends,
and there is one event for each in EVENTS.csv, at its time.
"""
import collections
import csv
import json
import sys


def need(is_good, *what):
    if not is_good:
        raise SystemExit("%s: %s" % (sys.argv[2], " ".join(map(str, what))))


def truth(path):
    """[(thread, kind, time in ns, name)] of the dump, in its order."""
    for row in csv.DictReader(open(path, encoding="utf-8", newline="")):
        yield ((row["process"], row["thread"]), row["kind"],
               int(row["time [ns]"]), row["name"] or row["region"])


def regions(path):
    """{thread: [(is an end, time, name)]}, closed as the formats have it."""
    lanes, stacks = collections.defaultdict(list), collections.defaultdict(list)
    last = {}
    for thread, kind, time, name in truth(path):
        last[thread] = time
        if kind in ("enter", "leave"):
            lanes[thread].append((kind == "leave", time, name))
            stacks[thread].append(name) if kind == "enter" \
                else stacks[thread].pop()
    for thread, stack in stacks.items():
        for name in reversed(stack):
            lanes[thread].append((True, last[thread], name))
    return list(lanes.values())


def alike(found, wanted):
    need(len(found) == len(wanted), len(found), "threads, not", len(wanted))
    for i, (lane, right) in enumerate(zip(found, wanted)):
        need(len(lane) == len(right), "thread", i, "has", len(lane), "events, "
             "not", len(right), "the last", lane[-1:], "not", right[-1:])
        for event, other in zip(lane, right):
            need(event == other, "thread", i, "has", event, "not", other)


def chrome(doc, path):
    lanes, stacks = collections.defaultdict(list), collections.defaultdict(list)
    counts, flows, now = collections.Counter(), collections.defaultdict(str), {}
    for e in doc["traceEvents"]:
        counts[e["ph"]] += 1
        place = e["pid"], e["tid"]
        if e["ph"] in "MX":
            continue
        need(e["ts"] >= now.get(place, 0), "goes back in time:", e)
        now[place] = e["ts"]
        if e["ph"] == "B":
            stacks[place].append(e["name"])
            lanes[place].append((False, round(e["ts"] * 1000), e["name"]))
        elif e["ph"] == "E":
            need(stacks[place], "ends what has not begun:", e)
            lanes[place].append((True, round(e["ts"] * 1000),
                                 stacks[place].pop()))
        elif e["ph"] in "sf":
            flows[e["id"]] += e["ph"]
    need(not any(stacks.values()), "not closed")
    need(all(sorted(ends) == ["f", "s"] for ends in flows.values()),
         "arrows without two ends:", dict(flows))
    # Events of all threads are in the order of time, and threads have numbers.
    alike([lanes[place] for place in sorted(lanes)], regions(path))
    kinds = collections.Counter(kind for _, kind, _, _ in truth(path))
    need(counts["C"] == kinds["counter"], "counters")
    need(counts["i"] + counts["s"] + counts["f"] == sum(
        kinds[k] for k in ("marker", "send", "receive", "collective", "lost")),
        "instants and arrows")


def speedscope(doc, path):
    frames = [frame["name"] for frame in doc["shared"]["frames"]]
    found = [[(e["type"] == "C", e["at"], frames[e["frame"]])
              for e in profile["events"]] for profile in doc["profiles"]]
    alike(found, regions(path))
    for profile in doc["profiles"]:
        need(profile["type"] == "evented", profile["type"])


check = {"chrome": chrome, "speedscope": speedscope}[sys.argv[1]]
check(json.load(open(sys.argv[2], encoding="utf-8")), sys.argv[3])
