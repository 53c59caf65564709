"""A guidance controller: a selector classifies the flight step by step, a sequencer then runs a separation.

Two state machines with many steps, driven by sensors that may have any value at any time. It stands for the
family "guidance" of the paper (FMSD 2008, section 7), the autopilot of a space shuttle. The authors added
redundant variables to their model; ``recorders`` does that here. Steps, sensors and text are our own.
"""

from __future__ import annotations

from document import document, run

SENSORS = ("abort", "fast", "slow", "low", "falling", "heavy", "pressed", "spinning", "tilted", "empty", "confirmed")

SELECTOR = """
MODULE Selector(start, abort, fast, slow, low, falling, heavy, confirmed)
VAR
  step : {idle, check_abort, check_speed, check_height, check_load, confirm, done};
  region : {none, high, middle, lower, ground};
  chosen : boolean;
ASSIGN
  init(step) := idle;
  next(step) := case
    step = idle & start : check_abort;
    step = check_abort & abort : confirm;
    step = check_abort : check_speed;
    step = check_speed & fast : done;
    step = check_speed & slow : check_load;
    step = check_speed : check_height;
    step = check_height & low : check_load;
    step = check_height : confirm;
    step = check_load : confirm;
    step = confirm & confirmed : done;
    step = done : idle;
    TRUE : step;
  esac;
  init(region) := none;
  next(region) := case
    step = idle & start : none;
    step = check_abort & abort : ground;
    step = check_speed & fast : high;
    step = check_height & !low : middle;
    step = check_load & (heavy | falling) : ground;
    step = check_load : lower;
    TRUE : region;
  esac;
  init(chosen) := FALSE;
  next(chosen) := case
    step = idle & start : FALSE;
    step != done & next(step) = done : TRUE;
    TRUE : chosen;
  esac;
"""

SEQUENCER = """
MODULE Sequencer(chosen, region, pressed, spinning, tilted, empty, confirmed)
VAR
  step : {wait, enter, damp, level, vent, separate, back_off, dump, coast, finished};
  passes : 0..3;
  thrusters : {off, down, up};
  released : boolean;
  dumping : boolean;
DEFINE
  calm := !spinning & !tilted;
ASSIGN
  init(step) := wait;
  next(step) := case
    step = wait & chosen & region != none : enter;
    step = enter & region = high : coast;
    step = enter : damp;
    step = damp & spinning & passes < 3 : damp;
    step = damp : level;
    step = level & tilted & passes < 3 : damp;
    step = level & pressed : vent;
    step = level : separate;
    step = vent & pressed : vent;
    step = vent : separate;
    step = separate & confirmed : back_off;
    step = back_off & region in {lower, ground} : dump;
    step = back_off : coast;
    step = dump & empty : coast;
    step = coast & !chosen : finished;
    step = finished : wait;
    TRUE : step;
  esac;
  init(passes) := 0;
  next(passes) := case
    step = wait : 0;
    step in {damp, level} & passes < 3 & !calm : passes + 1;
    TRUE : passes;
  esac;
  init(thrusters) := off;
  next(thrusters) := case
    step = damp : {down, up};
    step = separate & confirmed : up;
    step in {dump, coast, wait} : off;
    TRUE : thrusters;
  esac;
  init(released) := FALSE;
  next(released) := case
    step = wait : FALSE;
    step = separate & confirmed : TRUE;
    TRUE : released;
  esac;
  init(dumping) := FALSE;
  next(dumping) := step = dump & !empty;
"""


def model(recorders: int = 0) -> str:
    """``recorders`` delayed copies of every sensor, which nothing reads."""
    if recorders < 0:
        raise ValueError("the number of recorders is not negative")
    about = (
        "a selector classifies the flight, a sequencer then runs a separation; the sensors may show anything. A "
        "model of our own that stands for the guidance models of the paper of 2008; the authors' files are lost. "
    )
    if recorders:
        about += f"{recorders} recorders keep delayed copies of every sensor, which nothing reads. "
    about += (
        "Fuel is dumped only after the release; but a new choice may begin while the sequencer still runs, so the "
        "region at the separation need not be one that calls for it."
    )
    sensors = "\n".join(f"  {name} : boolean;" for name in SENSORS)
    copies = [
        f"\n  r{stage}_{name} : Recorder({name if stage == 0 else f'r{stage - 1}_{name}.copy'});"
        for stage in range(recorders)
        for name in SENSORS
    ]
    body = f"""
{SELECTOR.strip()}
{SEQUENCER}
{_RECORDER if recorders else ""}MODULE main
VAR
  start : boolean;
{sensors}
  selector : Selector(start, abort, fast, slow, low, falling, heavy, confirmed);
  sequencer : Sequencer(selector.chosen, selector.region, pressed, spinning, tilted, empty, confirmed);{"".join(copies)}
INVARSPEC NAME released_first := sequencer.dumping -> sequencer.released;
INVARSPEC NAME chosen_region := sequencer.step = separate -> selector.region in {{middle, lower, ground}};
"""
    bits = 3 + 3 + 1 + 4 + 2 + 2 + 2 + 1 + len(SENSORS) * (1 + recorders)
    verdicts = {"released_first": "holds", "chosen_region": "violated"}
    title = f"guidance{f'_recorders{recorders}' if recorders else ''}"
    command = f"guidance.py{f' --recorders {recorders}' if recorders else ''}"
    return document(title, about, command, bits, verdicts, body)


_RECORDER = """MODULE Recorder(value)
VAR
  copy : boolean;
ASSIGN
  init(copy) := FALSE;
  next(copy) := value;

"""

if __name__ == "__main__":
    run(
        "Print the model guidance.",
        model,
        {"recorders": (int, 0, "delayed copies of every sensor, which nothing reads")},
    )
