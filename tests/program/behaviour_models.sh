#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Profiles, steps, switching off, parameters, rewinding and user counters.
. "${srcdir:-.}/program/behaviour/kit.sh"
PDUMP_EVENTS=none
export PDUMP_EVENTS

# regions: the names in perf_dump.csv, in order, each once.
regions() {
    cells perf_dump.csv region | sort -u | tr '\n' ,
}

behaviour every profile is a sample and the region has the sum
run 0 models profiles
warns 'pdump_counter_add: no region is open'
same "$(visits solve)" 4 "visits of solve"
same "$(cells perf_dump.csv work.sum path=solve)" 6 work
same "$(cells perf_dump.csv work.min path=solve)" 1 "least work"
same "$(cells perf_dump.csv work.max path=solve)" 3 "most work"
same "$(visits solve/kernel)" 3 kernel
same "$(visits region_1),$(visits region_2)" 1,1 "unnamed regions"
same "$(visits named),$(cells perf_dump.csv visits path=named)" 0,0 \
    "a region without profile"
same "$(cells perf_dump.csv visits path=region_3)" 0 "the third unnamed region"
same "$(cells perf_dump.samples.csv number region=solve | tr '\n' ,)" 0,1,2,3, \
    "samples of solve"
samples=$(cells perf_dump.samples.csv time region=solve |
    awk '{ n += $1 } END { printf "%.0f", n }')
total=$(cells perf_dump.csv time.sum path=solve)
# Rounded each for itself.
[ $((samples - total)) -le 4 ] && [ $((total - samples)) -le 4 ] ||
    failed "samples are $samples ns in sum, the region $total"
readable perf_dump.csv

behaviour PyPerfDump finds its own layout
run 0 PDUMP_EVENTS=pdump::cpu_time PDUMP_OUTPUT_FORMAT=csv-pyperfdump \
    models profiles
same "$(cut -d , -f 1,2 perf_dump.csv | grep -v '^kernel,' | tr '\n' ' ')" \
    "$(for region in solve region_1 region_2 named region_3 solve; do
        echo "$region,pdump::cpu_time"
        [ "$region" != solve ] || [ -z "${first-}" ] || echo "solve,work"
        first=no
        echo "$region,Runtime"
    done | tr '\n' ' ')" "events of each region"
same "$(grep -E '^(named|region_3),Runtime' perf_dump.csv | tr '\n' ' ')" \
    'named,Runtime,0 region_3,Runtime,0 ' "regions without a profile"
same "$(grep ',work,' perf_dump.csv | head -n 1)" solve,work,6 work

behaviour calls out of order warn and change nothing
run 0 models out_of_order
for text in 'start_profile: no region' 'end_profile: no profile' \
    'end_region: no region' 'start_profile: a profile' 'end_step: no step'; do
    same "$(grep -c "$text" "$work/err")" \
        "$(($(test "$text" = 'end_profile: no profile' && echo 4 || echo 2)))" \
        "warnings: $text"
done
for text in 'pdump_enable_recording without' 'pdump_counter_add: no region'; do
    same "$(grep -c "$text" "$work/err")" 1 "warnings: $text"
done
for text in 'start_profile: no region' 'end_profile: no profile' \
    'end_region: no region' 'start_profile: a profile' \
    'end_profile: a region begun' 'end_step: no step' \
    'end_step: a region begun in step 0'; do
    noted "$text"
done
for text in 'pdump_enable_recording without' \
    'pdump_enable_recording_all without' 'end of rewind region' \
    'pdump_counter_add: no region' 'pdump_parameter: no region'; do
    warns "$text"
    noted "$text"
done
same "$(visits region),$(visits region/inside)" 2,2 "the profiles"
same "$(visits step),$(visits step/inside)" 2,2 "the steps"
same "$(regions)" inside,region,step, regions

# forgotten: checks what is recorded, with or without a warning.
forgotten() {
    same "$(visits 'no end_profile'),$(visits 'no end_region')" 2,2 first
    same "$(visits neither),$(visits neither/inside)" 2,2 neither
    same "$(visits step),$(visits step/inside)" 5,2 steps
    same "$(visits 'off, too')" 1 "after it was off"
    same "$(cells perf_dump.csv open | sort -u)" 0 "open regions"
    noted "end_region: a profile of 'no end_profile' is still open"
    noted "start_region: region 'no end_region' is still open"
    noted 'start_step: step 0 is still open'
    noted "finalize: region 'off, too' is still open"
}
behaviour an end that is forgotten is made up for, and told each time
run 0 models forgotten
forgotten
same "$(grep -c 'end_region: a profile' "$work/err")" 2 end_region
same "$(grep -c 'start_region: region' "$work/err")" 5 start_region
same "$(grep -c 'start_step: step' "$work/err")" 2 start_step
same "$(grep -c 'finalize: ' "$work/err")" 2 finalize
behaviour PDUMP_SILENCE_WARNINGS=1 silences warnings of the order
run 0 PDUMP_SILENCE_WARNINGS=1 PDUMP_EVENTS=NO_SUCH,pdump::cpu_time \
    models forgotten
same "$(grep -c ' is still open' "$work/err")" 0 "warnings of the order"
warns NO_SUCH
forgotten

behaviour PDUMP_QUIET=1 silences the warnings but not the dump
run 0 PDUMP_QUIET=1 models out_of_order
quiet
noted 'start_profile: no region'
same "$(cells perf_dump.meta.csv value table=warning key=count |
    sort -n | head -n 1)" 2 counts

behaviour all steps are recorded
run 0 models steps
quiet
same "$(visits step)" 8 steps
same "$(cells perf_dump.samples.csv number region=step | tr '\n' ,)" \
    0,1,2,3,4,5,6,7, samples
same "$(cells perf_dump.csv index.sum path=step/work)" 28 counter

behaviour PDUMP_DUMP_STEPS chooses steps
run 0 PDUMP_DUMP_STEPS=0,2-3,6- models steps
quiet
same "$(visits step),$(visits step/work),$(visits between)" 5,5,8 visits
same "$(cells perf_dump.csv index.sum path=step/work)" 18 counter
same "$(cells perf_dump.csv region group=parameter | sort | tr '\n' ,)" \
    i=0,i=2,i=3,i=6,i=7, parameters
same "$(cells perf_dump.samples.csv number region=step | tr '\n' ,)" \
    0,2,3,6,7, "numbers of the steps"

for list in x 3-1 -1 1,,2 1-2-3 99999999999999999999 ' '; do
    behaviour "PDUMP_DUMP_STEPS=$list is told and all steps are recorded"
    run 0 PDUMP_DUMP_STEPS="$list" models steps
    warns PDUMP_DUMP_STEPS
    noted PDUMP_DUMP_STEPS
    same "$(visits step)" 8 steps
done

behaviour recording is switched off per thread and for all
run 0 models switching
warns 'pdump_enable_recording without'
warns 'pdump_enable_recording_all without'
same "$(regions)" \
    'on,on again,other: all are on,other: before,other: main is off,outer,' \
    regions
same "$(visits outer),$(visits outer/on)" 1,1 "what was on"
same "$(cells perf_dump.csv thread_name region='other: before')" other name

behaviour switching off keeps the order of profiles and steps
run 0 models switching_models
same "$(regions)" 'after recursion,on,' regions

behaviour parameters split a region, every name its own
run 0 models parameters
quiet
same "$(visits solve)" 6 solve
same "$(visits 'solve/level=0')" 3 level=0
same "$(visits 'solve/level=-1')" 3 level=-1
same "$(visits 'solve/level=0/kind=a\/b/kernel')" 2 kernel
same "$(visits 'solve/level=0/kind=c,d/kernel')" 1 kernel
same "$(visits 'solve/level=-1/kind=a\/b/kernel')" 1 kernel
for i in 5 4 3; do
    same "$(visits "loop/i=1844674407370955161$i/x=0.5/body")" 1 "body $i"
done
same "$(visits loop)" 2 loop
same "$(cells perf_dump.csv group region=level=0)" parameter group
same "$(cells perf_dump.csv group path=loop)" user group

behaviour rewinding throws away or keeps
run 0 models rewinding
warns "end of rewind region 'another'"
same "$(visits outer),$(visits outer/attempt),$(visits outer/attempt/inside)" \
    2,2,2 visits
same "$(cells perf_dump.csv tries.sum path=outer/attempt)" 2 counter
same "$(cells perf_dump.csv tries.sum path=outer)" 2 "counter of outer"
same "$(regions)" attempt,inside,outer, regions

behaviour rewinding throws samples away, too
run 0 PDUMP_RECORD=profile,samples models rewinding
same "$(cells perf_dump.samples.csv region | sort | uniq -c | tr -s ' ' |
    tr '\n' ,)" ' 2 attempt, 2 inside, 2 outer,' samples

behaviour user counters, metadata and thread names
run 0 models counters
quiet
same "$(cells perf_dump.csv 'bytes, sent.sum' path=outer)" \
    4611686018427387904 "a large counter"
same "$(cells perf_dump.csv 'bytes, sent.sum' path=count | tr '\n' ,)" \
    499500,499500, "counter of two threads"
same "$(cells perf_dump.csv 'bytes, sent.max' path=count | sort -u)" 999 most
same "$(cells perf_dump.csv lost.sum path=count | sort -u)" -1000 negative
same "$(cells perf_dump.csv lost.sum path=outer/inner)" '' "no value is no 0"
same "$(cells perf_dump.meta.csv value table=metadata key=title)" \
    'a "new" one,\nin two lines' title
same "$(cells perf_dump.meta.csv value table=metadata key=empty)" '' empty
same "$(cells perf_dump.csv thread_name path=outer)" 'main thread' name
same "$(cells perf_dump.csv thread_name path=count | sort | tr '\n' ,)" \
    ',first, "quoted",' names
readable perf_dump.csv

behaviour a fact noted a million times does not use up the memory
run 0 PDUMP_MEMORY_MAX=4 models progress
quiet
same "$(cells perf_dump.meta.csv value table=metadata key=progress)" \
    '999999 of 1000000' progress
same "$(cells perf_dump.csv region | grep -c '^name ')" 1000 regions
finish
