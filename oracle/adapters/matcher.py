#!/usr/bin/env python3
"""An adapter to copy: put your own matcher into `matches`, name it in `HELLO`, and ask

    wildcheck run --oracle 'exec:python3 matcher.py'
"""

import json
import sys

HELLO = {"protocol": 1, "impl": "my-matcher", "version": "1.0", "dialect": "nats", "entry": "matches", "can": ["grid"]}


def matches(pattern, subject):
    """True, False, or raise ValueError for an operand that is refused."""
    patterns, subjects = pattern.split("."), subject.split(".")
    if "" in patterns or ">" in patterns[:-1]:
        raise ValueError(pattern)
    if "" in subjects:
        return False
    for index, token in enumerate(patterns):
        if token == ">":
            return len(subjects) > index
        if index >= len(subjects) or token not in ("*", subjects[index]):
            return False
    return len(patterns) == len(subjects)


def cell(pattern, subject):
    try:
        return "1" if matches(pattern, subject) else "0"
    except ValueError:
        return "p"
    except Exception:
        return "e"


for line in sys.stdin:
    ask = json.loads(line)
    if ask["op"] == "stop":
        break
    elif ask["op"] == "hello":
        answer = HELLO
    elif ask["op"] == "grid":
        rows = ["".join(cell(pattern, subject) for subject in ask["subjects"]) for pattern in ask["patterns"]]
        answer = {"seq": ask["seq"], "rows": rows}
    else:
        answer = {"seq": ask.get("seq"), "error": "unknown operation"}
    print(json.dumps(answer), flush=True)
