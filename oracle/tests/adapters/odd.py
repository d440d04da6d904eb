"""An adapter that misbehaves in the way that its first argument names, and is well otherwise."""

import json
import os
import sys
import time

WAY = sys.argv[1]
HELLO = {"protocol": 1, "impl": "odd", "version": WAY, "dialect": "nats", "can": ["grid", "valid"]}
HELLO.update(
    {
        "other-protocol": {"protocol": 2},
        "other-dialect": {"dialect": "mqtt"},
        "variant": {"dialect": "nats/test", "entry": "odd.cell"},
        "no-grid": {"can": ["valid"]},
        "takes-bytes": {"can": ["grid", "bytes"]},
    }.get(WAY, {})
)


def say(value):
    print(json.dumps(value), flush=True)


def cell(pattern, subject):
    here = (pattern, subject) == ("a.*", "a.b")
    if here and WAY in ("hangs", "hangs-with-child"):
        if WAY == "hangs-with-child" and os.fork() == 0:
            time.sleep(3600)
        time.sleep(3600)
    if here and WAY == "dies":
        print("about to fail", file=sys.stderr, flush=True)
        os._exit(3)
    if here and WAY == "aborts":
        os.abort()
    if pattern == "a.*" and WAY == "dies-on-pattern":
        os._exit(4)
    if WAY == "dies-always":
        os._exit(5)
    if WAY == "every-character":
        return "10pse-"[(len(pattern) + len(subject)) % 6]
    return "1" if pattern == subject else "0"


if WAY == "ends":
    print("no licence", file=sys.stderr)
    sys.exit(9)
if WAY == "slow-start":
    time.sleep(0.6)

for line in sys.stdin:
    ask = json.loads(line)
    if ask["op"] == "stop":
        break
    if ask["op"] == "hello":
        say(HELLO)
        continue
    if ask["op"] == "valid":
        answers = {key: "".join("0" if " " in text else "1" for text in ask[key]) for key in ("patterns", "subjects")}
        say({"seq": ask["seq"], "errors": {"p0": "a blank"}, **answers})
        continue
    texts = [[text if isinstance(text, str) else text["hex"] for text in ask[key]] for key in ("patterns", "subjects")]
    rows = ["".join(cell(pattern, subject) for subject in texts[1]) for pattern in texts[0]]
    if WAY == "lies-about-seq":
        say({"seq": ask["seq"] + 1, "rows": rows})
    elif WAY == "chatters":
        print("matching ...", flush=True)
        say({"seq": ask["seq"], "rows": rows})
    elif WAY == "chatters-after":
        say({"seq": ask["seq"], "rows": rows})
        print("done", flush=True)
    elif WAY == "too-few-rows":
        say({"seq": ask["seq"], "rows": rows[1:]})
    elif WAY == "short-row":
        say({"seq": ask["seq"], "rows": rows[:-1] + [rows[-1][1:]]})
    elif WAY == "unknown-character":
        say({"seq": ask["seq"], "rows": [row.replace("0", "n") for row in rows]})
    elif WAY == "booleans":
        say({"seq": ask["seq"], "rows": [[cell == "1" for cell in row] for row in rows]})
    elif WAY == "not-utf-8":
        sys.stdout.buffer.write(b'{"seq":1,"rows":["\xff"]}\n')
        sys.stdout.flush()
    elif WAY == "huge":
        sys.stdout.write("x" * (17 << 20))
        sys.stdout.flush()
    elif WAY == "sleeps-a-little":
        time.sleep(0.3)
        say({"seq": ask["seq"], "rows": rows})
    else:
        errors = {"0,0": "ZeroDivisionError", "p0": "refused so", "s0": "refused thus"}
        say({"seq": ask["seq"], "rows": rows, "errors": errors})
