# SPDX-License-Identifier: BSD-3-Clause
"""Checks files of formats that other programs read:

    check.py FORMAT FILE TRUTH

by the rules of their readers, and against TRUTH, the same dump as JSON.
"""
import collections
import json
import re
import sys


def need(is_good, *what):
    if not is_good:
        raise SystemExit("%s: %s" % (sys.argv[2], " ".join(map(str, what))))


def name_of(name):
    return name or "(no name)"


class Truth:
    """The rows of the dump: where, and the time of the region itself."""

    def __init__(self, path):
        d = json.load(open(path))
        self.dump = d
        self.time = [m["name"] for m in d["metrics"]].index("time")
        self.names = [name_of(d["regions"][n["region"]]["name"])
                      for n in d["nodes"]]

    def rows(self):
        d = self.dump
        for row in d["rows"]:
            thread = d["threads"][row["thread"]]
            value = row["values"][self.time]
            yield row, thread, d["processes"][thread["process"]], value

    def path(self, node):
        nodes, names = self.dump["nodes"], []
        while node is not None:
            names.append(self.names[node])
            node = nodes[node]["parent"]
        return names[::-1]


def folded(path, truth):
    expected, found = collections.Counter(), collections.Counter()
    for row, _, _, value in truth.rows():
        names = [re.sub("[\0-\x1f\x7f]", " ", n).replace(";", ":")
                 for n in truth.path(row["node"])]
        expected[";".join(names)] += max(value["exclusive"] or 0, 0)
    for line in open(path, encoding="utf-8", newline="\n"):
        match = re.match(r"^(.+) ([1-9]\d*)\n$", line)
        need(match, "no stack and count:", line)
        found[match.group(1)] += int(match.group(2))
    for stack in expected:
        need(abs(found[stack] * 1000 - expected[stack]) <= 500, stack)
    need(set(found) <= set(expected), "stacks that are none")


def speedscope(path, truth):
    doc = json.load(open(path, encoding="utf-8"))
    frames = [f["name"] for f in doc["shared"]["frames"]]
    expected = collections.defaultdict(collections.Counter)
    for row, _, _, value in truth.rows():
        expected[row["thread"]][truth.names[row["node"]]] += \
            max(value["exclusive"] or 0, 0)
    need(len(doc["profiles"]) == len(expected), "number of profiles")
    titles = {p["name"] for p in doc["profiles"]}
    places = {(p["rank"], p["pid"], t["number"])
              for _, t, p, _ in truth.rows()}
    need(len(titles) == len(places), "equal names of profiles")
    for profile, thread in zip(doc["profiles"], sorted(expected)):
        found, stack, now = collections.Counter(), [], 0
        for event in profile["events"]:
            need(event["at"] >= now, "goes back in time")
            if stack:
                found[frames[stack[-1]]] += event["at"] - now
            now = event["at"]
            if event["type"] == "O":
                stack.append(event["frame"])
            else:
                need(stack and stack.pop() == event["frame"], "crossing")
        need(not stack and now == profile["endValue"], "not closed")
        need(+found == +expected[thread], "times of", profile["name"])


def nested(events):
    """Events of one thread: each is in another one, or beside it."""
    stack = []
    events = [(e["ts"], -e["dur"], e["dur"]) for e in events]
    for ts, _, dur in sorted(events):
        while stack and ts >= stack[-1] - 0.0005:
            stack.pop()
        need(not stack or ts + dur <= stack[-1] + 0.0005, "events overlap")
        if dur > 0:
            stack.append(ts + dur)


def chrome(path, truth):
    doc = json.load(open(path, encoding="utf-8"))
    need("not a timeline" in doc["otherData"]["profile"], "says nothing")
    threads, named, profiles = collections.defaultdict(list), set(), set()
    for e in doc["traceEvents"]:
        need(e["ph"] in "XM" and isinstance(e["name"], str) and e["name"] and
             isinstance(e["pid"], int) and isinstance(e["tid"], int), e)
        if e["ph"] == "M":
            need(isinstance(e["args"], dict), e)
            named.add((e["pid"], e["tid"], e["name"]))
            if e["name"] == "process_name" and "not a timeline" in \
                    e["args"]["name"]:
                profiles.add(e["pid"])
        else:
            need(isinstance(e["ts"], (int, float)) and e["dur"] >= 0, e)
            threads[e["pid"], e["tid"]].append(e)
    for pid, tid in threads:
        need((pid, tid, "process_name") in named, "no process", pid)
        need((pid, tid, "thread_name") in named, "no thread", tid)
        nested(threads[pid, tid])
    layout = [e for t in threads if t[0] in profiles for e in threads[t]]
    timeline = [e for t in threads if t[0] not in profiles for e in threads[t]]
    need(len(layout) == len(truth.dump["rows"]), "number of rows")
    samples = truth.dump["samples"]
    need(sorted(e["ts"] for e in timeline) ==
         sorted(s["start_ns"] / 1000 for s in samples), "times of samples")
    for (pid, tid), events in threads.items():
        if pid in profiles:
            total = sum(max(v["exclusive"] or 0, 0)
                        for r, _, _, v in truth.rows()
                        if r["thread"] == tid - 1)
            end = max(e["ts"] + e["dur"] for e in events)
            need(abs(total / 1000 - end) < 0.01, "time of thread", tid)


def caliper(path, truth):
    """What Hatchet's reader of the split format relies on."""
    doc = json.load(open(path, encoding="utf-8"))
    columns, about = doc["columns"], doc["column_metadata"]
    need(len(columns) == len(about) == len(set(columns)), "columns")
    need(all(isinstance(a["is_value"], bool) for a in about), "is_value")
    at = {c: i for i, c in enumerate(columns)}
    need(not about[at["path"]]["is_value"], "path is no value")
    for i, node in enumerate(doc["nodes"]):
        need(node["column"] == "path" and node["label"], "node", i)
        need("parent" not in node or 0 <= node["parent"] < i, "parent of", i)
    found = {}
    for line in doc["data"]:
        need(len(line) == len(columns), "length of", line)
        need(0 <= line[0] < len(doc["nodes"]), "path of", line)
        place = line[0], line[at["mpi.rank"]]
        need(place not in found, "twice:", place)
        found[place] = line
    expected = collections.Counter()
    inclusive, visits = collections.Counter(), collections.Counter()
    for row, _, process, value in truth.rows():
        place = row["node"], process["rank"]
        expected[place] += value["exclusive"] or 0
        inclusive[place] += value["sum"] or 0
        visits[place] += row["visits"]
    need(set(found) == set(expected), "places")
    for place, line in found.items():
        for column, wanted in (("sum#time.duration", expected),
                               ("inclusive#sum#time.duration", inclusive)):
            value = line[at[column]] or 0
            need(abs(value * 1e9 - wanted[place]) < 1, column, place)
        need(line[at["count"]] == visits[place], "count", place)
    need([n["label"] for n in doc["nodes"]] == truth.names, "labels")
    hatchet_reads(path, doc, found, truth)


def hatchet_reads(path, doc, lines, truth):
    """Hatchet itself, where it is installed: Debian does not have it."""
    try:
        import hatchet
    except ImportError:
        return
    graph = hatchet.GraphFrame.from_caliper(path)
    counters = {"sum#%s (inc)" % m["name"] for m in truth.dump["metrics"]
                if m["kind"] != "gauge" and m["name"] != "time"}
    need(set(graph.inc_metrics) == {"time (inc)"} | counters,
         "inclusive metrics", graph.inc_metrics)
    time = doc["columns"].index("inclusive#sum#time.duration")
    frame = graph.dataframe.reset_index()
    has_ranks = "rank" in frame.columns
    seen = {(row["nid"], row["rank"] if has_ranks else 0): row["time (inc)"]
            for _, row in frame.iterrows()}
    for place, line in lines.items():
        need(abs(seen[place] - (line[time] or 0)) < 1e-12, "Hatchet at", place)


checks = {"folded": folded, "speedscope": speedscope, "chrome": chrome,
          "caliper-json": caliper}
checks[sys.argv[1]](sys.argv[2], Truth(sys.argv[3]))
