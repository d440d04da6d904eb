// An adapter to copy: put your own matcher into `matches`, name it in `hello`, and ask
//
//     wildcheck run --oracle 'exec:node matcher.mjs'

import { createInterface } from "node:readline";

const hello = { protocol: 1, impl: "my-matcher", version: "1.0", dialect: "nats", entry: "matches", can: ["grid"] };

/** true, false, or throw a RangeError for an operand that is refused. */
function matches(pattern, subject) {
  const patterns = pattern.split("."), subjects = subject.split(".");
  if (patterns.includes("") || patterns.slice(0, -1).includes(">")) throw new RangeError(pattern);
  if (subjects.includes("")) return false;
  for (const [index, token] of patterns.entries()) {
    if (token === ">") return subjects.length > index;
    if (index >= subjects.length || (token !== "*" && token !== subjects[index])) return false;
  }
  return patterns.length === subjects.length;
}

function cell(pattern, subject) {
  try {
    return matches(pattern, subject) ? "1" : "0";
  } catch (error) {
    return error instanceof RangeError ? "p" : "e";
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const ask = JSON.parse(line);
  let answer = { seq: ask.seq, error: "unknown operation" };
  if (ask.op === "stop") break;
  if (ask.op === "hello") answer = hello;
  if (ask.op === "grid") {
    answer = { seq: ask.seq, rows: ask.patterns.map((p) => ask.subjects.map((s) => cell(p, s)).join("")) };
  }
  process.stdout.write(JSON.stringify(answer) + "\n");
}
