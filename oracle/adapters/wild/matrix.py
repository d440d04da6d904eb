"""Audits every library of this folder and writes one matrix: `make wild`.

    matrix.py WILDCHECK OUT REPORT.md [NAME...]

It must never fail because a library is wrong: that is what the matrix says. It fails when one could not be audited. Of
hangs, crashes and exploding times it tells the name and never the pair.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
# `make wild` builds the crates' adapters here; who lacks them cannot audit crates.
CRATES = HERE.parents[2] / "target" / "wild-crates" / "release" / "wild-crates"
# Adapters by dialect; the names are files of this folder, or `crate:` and an entry of `crates/`.
ADAPTERS = {
    "kombu_topic": "rabbitmq",
    "faststream_rabbit": "rabbitmq",
    "faststream_nats": "nats",
    "faststream_mqtt": "mqtt",
    "paho_matches": "mqtt",
    "aiomqtt_topic": "mqtt",
    "amqtt_broker": "mqtt",
    "fastapi_mqtt_match": "mqtt",
    "aws_iot_sdk": "mqtt",
    "crate:mqttbytes": "mqtt",
    "crate:mqtt-protocol": "mqtt",
    "crate:mqtt-topic-engine": "mqtt",
    "crate:celers-core": "rabbitmq",
    "crate:topiq-broker": "nats",
}
PILES = {"legal": "wrong on legal input", "illegal": "accepts illegal input", "limits": "limits"}
UNTOLD = {"no-answer", "program-died", "time-explodes"}
SIGNS = {"too-much": "too much", "too-little": "too little", "both": "both"}


def audit(wildcheck, out, name, dialect):
    """Runs one audit and reads its record."""
    folder = out / name.replace(":", "-")
    crate = name.removeprefix("crate:")
    program = f"'{sys.executable}' '{HERE / name}.py'" if crate == name else f"'{CRATES}' {crate}"
    command = [wildcheck, "run", "-q", "--dialect", dialect, "--seed", "1", "--out", str(folder), "--oracle", f"exec:{program}"]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode not in (0, 1):
        sys.exit(f"{name}: exit {done.returncode}\n{done.stdout}{done.stderr}")
    events = [json.loads(line) for line in (folder / "record.jsonl").read_text().splitlines()]
    started = next(event for event in events if event["event"] == "started")
    rows = [event for event in events if event["event"] == "row"]
    who = started["oracles"][1]
    witnesses = [event for event in events if event["event"] == "witness"]
    return {
        "adapter": name,
        "name": who["name"],
        "from": "crate" if crate != name else "pip",
        "version": who["version"],
        "dialect": dialect,
        "entry": next((r.removeprefix("asks ") for r in who.get("remarks", []) if r.startswith("asks ")), ""),
        "verdicts": sum(event["pairs"] for event in events if event["event"] == "grid"),
        "rows": len(rows),
        "broken_rows": sum(not row["holds"] for row in rows),
        "exit": done.returncode,
        "piles": {pile: [told(w) for w in witnesses if w["pile"] == pile] for pile in PILES},
    }


def told(witness):
    pair = None if witness["name"] in UNTOLD else [witness["pattern"], witness["subject"]]
    return {**{key: witness[key] for key in ("cause", "name", "direction", "clause", "count")}, "pair": pair}


def code(text):
    """An operand in a table's cell."""
    if len(text) > 48:
        text = f"{text[:20]}…"
    # A backtick cannot stand inside a code span of backticks, a bar ends the cell.
    text = text.replace("`", "\\x60").replace("|", "\\|")
    return f"`{text}`" if text else "*(empty)*"


def pair(witness):
    return "not told" if witness["pair"] is None else " and ".join(code(text) for text in witness["pair"])


def markdown(results):
    lines = [
        "# Published matchers, audited",
        "",
        "`make wild` wrote this. Each library is asked through its own entry, by a small adapter in"
        " `oracle/adapters/wild/`, about the rows of the tables, every operand of up to four tokens over two letters and the"
        " wildcards, nasty literals in every place of up to three tokens, random pairs, growing pairs and, where it keeps them,"
        " sets. The reference is the documented rule of the dialect; a library may document another one.",
        "",
        "| library | dialect | asked | verdicts | rows that do not hold | wrong on legal input | accepts illegal input | limits |",
        "|---|---|---|--:|--:|--:|--:|--:|",
    ]
    for r in results:
        causes = " | ".join(str(len(r["piles"][pile])) for pile in PILES)
        lines.append(
            f"| {r['name']} {r['version']} ({r['from']}) | {r['dialect']} | `{r['entry']}` | {r['verdicts']:,} |"
            f" {r['broken_rows']} of {r['rows']} | {causes} |"
        )
    lines += ["", "The last three columns count causes."]
    for r in results:
        lines += ["", f"## {r['name']} {r['version']}, {r['dialect']}: `{r['entry']}`"]
        for pile, heading in PILES.items():
            if not r["piles"][pile]:
                continue
            lines += ["", f"{heading}:", "", "| cause | delivers | smallest pattern and subject | clause | verdicts |"]
            lines.append("|---|---|---|---|--:|")
            for w in r["piles"][pile]:
                clause = f"`{w['clause']}`" if w["clause"] else ""
                lines.append(
                    f"| {w['cause']} {w['name']} | {SIGNS[w['direction']]} | {pair(w)} | {clause} | {w['count']:,} |"
                )
        if not any(r["piles"].values()):
            lines += ["", "Nothing."]
    return re.sub(r"  +\|", " |", "\n".join(lines)) + "\n"


def main():
    wildcheck, out, report, *names = sys.argv[1:]
    out = Path(out).resolve()
    out.mkdir(parents=True, exist_ok=True)
    results = []
    for name in names or ADAPTERS:
        result = audit(str(Path(wildcheck).resolve()), out, name, ADAPTERS[name])
        counts = ", ".join(f"{len(result['piles'][pile])} {pile}" for pile in PILES)
        print(f"{name:<24} {result['name']} {result['version']}: {result['verdicts']:,} verdicts; causes: {counts}", flush=True)
        results.append(result)
    (out / "matrix.json").write_text(json.dumps(results, indent=1) + "\n")
    Path(report).write_text(markdown(results))


main()
