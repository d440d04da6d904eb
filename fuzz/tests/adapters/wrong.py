"""A correct NATS matcher that is wrong in the one way that its first argument names."""

import json
import os
import sys
import time

WAY = sys.argv[1]
LONGEST = 4094


def accepts(text, wild):
    tokens = text.split(".")
    plain = "" not in tokens and not any(c in " \t\r\n" for c in text) and len(text.encode()) <= LONGEST
    if wild is None:
        return plain  # as a subject is delivered in default mode: its wildcards are literals
    return plain and (">" not in tokens[:-1] if wild else not {"*", ">"} & set(tokens))


def matches(pattern, subject):
    if WAY == "hangs" and (pattern, subject) == ("a.*", "a.b"):
        time.sleep(3600)
    if WAY == "dies" and (pattern, subject) == ("a.*", "a.b"):
        os._exit(3)
    if WAY == "throws" and pattern == "*":
        raise ZeroDivisionError("a star")
    if WAY == "explodes" and len(pattern) > 60 and pattern == subject and set(pattern) == {"a"}:
        time.sleep(0.15)
    patterns, subjects = pattern.split("."), subject.split(".")
    if WAY != "takes-everything" and (not accepts(pattern, True) or not accepts(subject, None)):
        return False
    for index, token in enumerate(patterns):
        if token == ">":
            # The lie: the tail takes nothing as well.
            return len(subjects) >= index if WAY == "lies" else len(subjects) > index
        if index >= len(subjects) or token not in ("*", subjects[index]):
            return False
    return len(patterns) == len(subjects)


def sets(steps):
    held, answers = [], []
    for sign, text in steps:
        if sign == "+" and (WAY == "repeats" or text not in held):
            held.append(text)
        elif sign == "-" and text in held and WAY != "keeps":
            held = [pattern for pattern in held if pattern != text]
        elif sign == "?":
            found = [pattern for pattern in held if cell(pattern, text) == "1"]
            answers.append(found[:1] if WAY == "first-only" else found)
    return answers


def cell(pattern, subject):
    try:
        return "1" if matches(pattern, subject) else "0"
    except ZeroDivisionError:
        return "e"


for line in sys.stdin:
    ask = json.loads(line)
    if ask["op"] == "stop":
        break
    answer = {"seq": ask.get("seq")}
    if ask["op"] == "hello":
        answer = {"protocol": 1, "impl": WAY, "version": "1", "dialect": "nats", "can": ["grid", "sets", "valid"]}
    elif ask["op"] == "grid":
        answer["rows"] = ["".join(cell(pattern, subject) for subject in ask["subjects"]) for pattern in ask["patterns"]]
    elif ask["op"] == "valid":
        for side, wild in (("patterns", True), ("subjects", False)):
            answer[side] = "".join("01"[accepts(text, wild) or WAY == "takes-everything"] for text in ask[side])
    elif ask["op"] == "sets":
        answer["answers"] = sets(ask["steps"])
    if WAY == "chatters" and ask["op"] == "grid":
        print("matching ...", flush=True)
    print(json.dumps(answer), flush=True)
