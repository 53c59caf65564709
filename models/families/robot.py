"""The scheduler of a robot's controller: periodic tasks on one processor, with priorities.

A timer starts the tasks at their periods; a task asks for the processor while it has work left, the task
with the shortest period wins. If a task's period comes round while it is still at work, its backlog grows.
It stands for the family "robot" of the paper (FMSD 2008, section 7), whose authors also added redundant
variables, as ``recorders`` does. Text, tasks and periods are our own.
"""

from __future__ import annotations

from document import bits_of, document, run

BASE = 8
"""Steps between two starts of the fastest task."""


def model(tasks: int, recorders: int = 0, overload: bool = False) -> str:
    """``tasks`` 3 to 6, ``recorders`` delayed copies of the state; ``overload`` makes the slowest task too long."""
    if not 3 <= tasks <= 6 or recorders < 0:
        raise ValueError("3 to 6 tasks, and no negative number of recorders")
    periods = [BASE * 2**k for k in range(tasks)]
    # every task takes half of what the faster ones leave of the processor, so there is room for the next one
    works = [BASE // 2] * tasks
    if overload:
        works[-1] = periods[-1] // 2
    cycle = periods[-1]
    about = (
        f"{tasks} periodic tasks with fixed priorities on one processor: periods {_list(periods)} steps, work "
        f"at most {_list(works)} steps. A model of our own that stands for the robot models of the paper of 2008; the "
        f"authors' files are lost. {_redundancy(recorders)}"
    )
    about += "Overload: the slowest task has more work than time." if overload else "No task ever falls behind."
    instances = "\n".join(
        f"  t{k} : Task(timer mod {periods[k]} = 0, granted = {k}, {works[k]});" for k in range(tasks)
    )
    grants = "\n".join(f"    t{k}.asks : {k};" for k in range(tasks))
    body = f"""
MODULE Task(start, granted, work)
VAR
  left : 0..{max(works)};        -- steps of work left
  backlog : 0..2;     -- starts that came while it was still at work
DEFINE
  asks := left > 0;
  done := granted & left = 1;
ASSIGN
  init(left) := 0;
  next(left) := case
    (left = 0 | done) & (start | backlog > 0) : {{work - 1, work}};
    granted & left > 0 : left - 1;
    TRUE : left;
  esac;
  init(backlog) := 0;
  next(backlog) := case
    start & left > 0 & !done & backlog < 2 : backlog + 1;
    (left = 0 | done) & !start & backlog > 0 : backlog - 1;
    TRUE : backlog;
  esac;
{_recorder(recorders, max(works))}
MODULE main
VAR
  timer : 0..{cycle - 1};
{instances}{_recorder_instances(recorders, tasks)}
DEFINE
  granted := case
{grants}
    TRUE : {tasks}; -- no one
  esac;
ASSIGN
  init(timer) := 0;
  next(timer) := (timer + 1) mod {cycle};
INVARSPEC NAME in_time := t{tasks - 1}.backlog < 2;
"""
    task_bits = bits_of(max(works) + 1)
    bits = bits_of(cycle) + tasks * (task_bits + 2) + recorders * tasks * task_bits
    title = f"robot{tasks}{f'_recorders{recorders}' if recorders else ''}{'_overload' if overload else ''}"
    command = f"robot.py {tasks}{f' --recorders {recorders}' if recorders else ''}{' --overload' if overload else ''}"
    return document(title, about, command, bits, {"in_time": "violated" if overload else "holds"}, body)


def _list(numbers: list[int]) -> str:
    return ", ".join(str(number) for number in numbers)


def _redundancy(recorders: int) -> str:
    return f"{recorders} recorders keep delayed copies of every task, which nothing reads. " if recorders else ""


def _recorder(recorders: int, top: int) -> str:
    if not recorders:
        return ""
    return f"""
MODULE Recorder(value)
VAR
  copy : 0..{top};
ASSIGN
  init(copy) := 0;
  next(copy) := value;
"""


def _recorder_instances(recorders: int, tasks: int) -> str:
    lines = []
    for stage in range(recorders):
        for k in range(tasks):
            source = f"t{k}.left" if stage == 0 else f"r{stage - 1}_{k}.copy"
            lines.append(f"\n  r{stage}_{k} : Recorder({source});")
    return "".join(lines)


if __name__ == "__main__":
    run(
        "Print the model robot TASKS.",
        model,
        {
            "tasks": (int, None, "periodic tasks, 3 to 6"),
            "recorders": (int, 0, "delayed copies of every task, which nothing reads"),
            "overload": (bool, False, "give the slowest task too much work: the property is violated"),
        },
    )
