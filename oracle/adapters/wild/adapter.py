"""The loop that every adapter in this folder shares: the adapter protocol on stdin and stdout.

It must never decide anything about a pair: the published library does, through its own entry.
"""

import json
import sys
from importlib.metadata import version


class Refused(Exception):
    """The library refuses an operand; `side` is "p" or "s"."""

    def __init__(self, side):
        super().__init__(side)
        self.side = side


def serve(package, dialect, entry, prepare, matches, valid=None, sets=None):
    """Answers until `stop`.

    `prepare(pattern)` makes what `matches(prepared, subject)` takes, once a pattern. `valid(text, side)` says whether the
    library takes that operand at all, where it has such a rule. `sets()` makes an object with `add`, `remove` and `ask`.
    """
    can = ["grid"] + ["valid"] * (valid is not None) + ["sets"] * (sets is not None)
    hello = {"protocol": 1, "impl": package, "version": version(package), "dialect": dialect, "entry": entry, "can": can}
    out = sys.stdout
    sys.stdout = sys.stderr  # what a library prints is no answer
    for line in sys.stdin:
        ask = json.loads(line)
        if ask["op"] == "stop":
            break
        answer = {"seq": ask.get("seq")}
        if ask["op"] == "hello":
            answer = hello
        elif ask["op"] == "grid":
            answer.update(grid(ask, prepare, matches))
        elif ask["op"] == "valid":
            answer["patterns"] = "".join("01"[valid(text, "p")] for text in ask["patterns"])
            answer["subjects"] = "".join("01"[valid(text, "s")] for text in ask["subjects"])
        elif ask["op"] == "sets":
            answer["answers"] = steps(ask["steps"], sets())
        print(json.dumps(answer), file=out, flush=True)


def grid(ask, prepare, matches):
    errors, rows = {}, []
    for row, pattern in enumerate(ask["patterns"]):
        try:
            prepared = prepare(pattern)
        except Refused:
            rows.append("p" * len(ask["subjects"]))
            continue
        except Exception as error:
            errors[f"{row},0"] = repr(error)[:200]
            rows.append("e" * len(ask["subjects"]))
            continue
        cells = []
        for column, subject in enumerate(ask["subjects"]):
            try:
                cells.append("1" if matches(prepared, subject) else "0")
            except Refused as refused:
                cells.append(refused.side)
            except Exception as error:
                cells.append("e")
                errors[f"{row},{column}"] = repr(error)[:200]
        rows.append("".join(cells))
    return {"rows": rows, "errors": errors} if errors else {"rows": rows}


def steps(steps, held):
    answers = []
    for sign, text in steps:
        if sign == "+":
            held.add(text)
        elif sign == "-":
            held.remove(text)
        else:
            answers.append(held.ask(text))
    return answers
