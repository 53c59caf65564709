"""Sensors that send data and messages to a process through a channel with a bounded buffer.

After SN of agar-lpts-2012, Table 1, whose files are lost. Sensors and the process may fail when they start, the
process also when it handles a message, and the channel when it ages: then half of the time it takes data for messages.
"""

from __future__ import annotations

from document import document, flags, run

FAILURE = "1/10"
# A sensor that failed does less than a sound one: only a specification that demands more of it is wrong.
WRONG_FAILURE = "1/5"
CAPACITY = 5

#: States of the channel with the sensors and of the system, for a number of sensors; here, and in Table 1.
MEASURED = {1: (21, 458), 2: (319, 7588), 3: (3305, 79414)}
PRINTED = {1: (43, "462"), 2: (796, "7860"), 3: (7545, "78k")}


def system(sensors: int) -> str:
    """The process, the channel and the sensors."""
    n = sensors
    sizes = [f"the process 32, the channel 126N = {126 * n}, as in Table 1 of agar-lpts-2012; a sensor 10 states"]
    if n in MEASURED:
        (together, joint), (paper_together, paper_joint) = MEASURED[n], PRINTED[n]
        sizes.append(
            f"channel and sensors together {together}, the system {joint} states; Table 1 has {paper_together} and "
            f"{paper_joint}, and the paper leaves no way to tell how its parts came to these"
        )
    about = (
        f"{n} sensor{'s' if n > 1 else ''}, polled in turn, send data and messages through a channel with a buffer of "
        f"{CAPACITY} places to a process; a sensor waits until what it sent has arrived."
    )
    modules = [f"const double failure = {FAILURE};\n", _process(n), _channel(n), *(_sensor(k) for k in range(1, n + 1))]
    return document(about, f"sensors.py {n}", sizes, "\n".join(modules))


def specification(sensors: int, wrong: bool) -> str:
    """Which parts have failed: each sensor, the process and the channel."""
    failure = WRONG_FAILURE if wrong else FAILURE
    about = (
        f"Which of {sensors} sensors, the process and the channel have failed; a sensor that has sends no data. "
        f"{'Wrong: the sensors fail with probability ' + failure + ', not ' + FAILURE + '.' if wrong else ''}"
    )
    lines = [
        f"const double failure = {FAILURE};",
        f"const double fault = {failure};",
        "module specification",
        "  process : [0..2]; // not started, sound, failed",
        "  aged : bool;",
        *(f"  f{k} : [0..2]; // not started, sound, failed" for k in range(1, sensors + 1)),
        "  [boot] process=0 -> 1-failure : (process'=1) + failure : (process'=2);",
        "  [handle] process=1 -> 1-failure : true + failure : (process'=2);",
        "  [age] !aged -> 1-failure : true + failure : (aged'=true);",
    ]
    for k in range(1, sensors + 1):
        lines.append(f"  [start{k}] f{k}=0 -> 1-fault : (f{k}'=1) + fault : (f{k}'=2);")
        lines.append(f"  [data{k}] f{k}=1 -> true;")
        lines.append(f"  [message{k}] f{k}!=0 -> true;")
    lines.append("endmodule")
    states = 2 * 3 ** (sensors + 1)
    command = f"sensors.py {sensors}{flags(not wrong, wrong)}"
    return document(about, command, [f"2*3^(N+1) = {states} states, for N = {sensors}"], "\n".join(lines))


def _process(sensors: int) -> str:
    lines = [
        "module process",
        "  p : [0..7]; // not started, failed, waits, has data, writes, has a message, logs, reports",
        "  stored : [0..4];",
        "  [boot] p=0 -> 1-failure : (p'=2) + failure : (p'=1);",
        "  [store] p=3 -> (p'=4);",
        "  [write] p=4 -> (p'=2) & (stored'=min(stored+1,4));",
        "  [handle] p=5 -> 1-failure : (p'=6) + failure : (p'=1) & (stored'=0);",
        "  [log] p=6 -> (p'=2);",
        "  [ask] p=2 -> (p'=7);",
        "  [answer] p=7 -> (p'=2) & (stored'=max(stored-1,0));",
    ]
    for k in range(1, sensors + 1):
        lines.append(f"  [arrived_data{k}] p=2 -> (p'=3);")
        lines.append(f"  [arrived_message{k}] p=2 -> (p'=5);")
        lines.append(f"  [arrived_data{k}] p=1 -> true;")
        lines.append(f"  [arrived_message{k}] p=1 -> true;")
    lines.append("endmodule\n")
    return "\n".join(lines)


def _channel(sensors: int) -> str:
    places = range(CAPACITY)
    lines = [
        "module channel",
        f"  turn : [1..{sensors}]; // the sensor that may send next; arrivals have the same order",
        f"  length : [0..{CAPACITY}];",
        *(f"  b{k} : bool; // place {k} holds a message, not data" for k in places),
        "  aged : bool;",
        "  [age] !aged -> 1-failure : true + failure : (aged'=true);",
    ]
    shift = " & ".join(f"(b{k}'={f'b{k + 1}' if k + 1 < CAPACITY else 'false'})" for k in places)
    for k in range(1, sensors + 1):
        following = k % sensors + 1
        for length in places:
            here = f"turn={k} & length={length}"
            taken = f"(turn'={following}) & (length'={length + 1})"
            lines.append(f"  [data{k}] {here} & !aged -> {taken};")
            lines.append(f"  [data{k}] {here} & aged -> 1/2 : {taken} + 1/2 : {taken} & (b{length}'=true);")
            lines.append(f"  [message{k}] {here} -> {taken} & (b{length}'=true);")
        for length in range(1, CAPACITY + 1):
            # What arrives first was sent by the sensor whose turn was this many places before.
            turn = (k - 1 + length) % sensors + 1
            lines.append(
                f"  [arrived_data{k}] turn={turn} & length={length} & !b0 -> (length'={length - 1}) & {shift};"
            )
            lines.append(
                f"  [arrived_message{k}] turn={turn} & length={length} & b0 -> (length'={length - 1}) & {shift};"
            )
    lines.append("endmodule\n")
    return "\n".join(lines)


def _sensor(number: int) -> str:
    k = number
    return f"""\
module sensor{k}
  // not started, idle, has data, has a message, has sent data, a message, rests; failed: idle, awake, has sent
  s{k} : [0..9];
  [start{k}] s{k}=0 -> 1-failure : (s{k}'=1) + failure : (s{k}'=7);
  [measure{k}] s{k}=1 -> 3/4 : (s{k}'=2) + 1/4 : (s{k}'=3);
  [data{k}] s{k}=2 -> (s{k}'=4);
  [message{k}] s{k}=3 -> (s{k}'=5);
  [arrived_data{k}] s{k}=4 -> (s{k}'=6);
  [arrived_message{k}] s{k}=4 | s{k}=5 -> (s{k}'=6);
  [wake{k}] s{k}=6 -> (s{k}'=1);
  [wake{k}] s{k}=7 -> (s{k}'=8);
  [message{k}] s{k}=8 -> (s{k}'=9);
  [arrived_message{k}] s{k}=9 -> (s{k}'=7);
endmodule
"""


if __name__ == "__main__":
    run("Print the sensor network model SN, or its specification.", system, specification)
