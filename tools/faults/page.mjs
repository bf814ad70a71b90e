/** The possible outcomes: the name and the meaning in the legend. @type {Readonly<Record<string, string>>} */
const OUTCOMES = {
  "no effect": "The command succeeded, and the result is correct.",
  reported: "The command reported an error. Its first remedy solved the problem.",
  corrected: "The command succeeded. The next refresh showed a difference, and `pulumi up` corrected it.",
  decision: "The command reported an error. The user set a property to decide who owns the object.",
  "manual delete": "The command reported an error. The user deleted the object manually.",
  "edit preserved":
    "The object still contains another user's edit. The command or a refresh reported the edit.",
  repeated: "A one-time action ran again.",
  unknown: "The command reported that the outcome is unknown, and did nothing more.",
  warned: "The command succeeded with a warning.",
  overwritten: "Another user's edit between the read and the write was overwritten.",
  "known issue": "The result does not meet the rules yet.",
};

const BEFORE = `# Behavior under faults

This page shows how Quarterdeck behaves if requests, responses, servers, processes or other users interfere with a command.

\`npm run soak -- faults\` generates this page. It injects every fault at every request of every operation of every
resource. The tests run in one process, with the real HTTP client and the mock servers. After a fault, the test behaves like a user:

1. It applies the first remedy of each error message, at most twice.
2. If no other user is involved, it destroys the resource, which must leave nothing behind.
3. It checks the result against the rules in \`tests/faults/rules.ts\`, and the messages against the actions of the server.

Every seventh of these tests also runs through each bridge (\`tests/faults/bridges.test.ts\`). The inputs, messages and states of
the engine must match the results on this page.

## Guarantees

- No change fails silently. Nothing is created twice, left behind or overwritten without a message.
- After a lost response to a write, Quarterdeck reads the object and does not repeat the write blindly. If the read does not
  show the outcome, the command reports this.
- One-time actions (rotations, rekey shares, issued credentials) are never repeated automatically.
- If the server checks writes (Nomad jobs, Consul configuration entries), no edit of another user is overwritten unseen.

[Guarantees and limits](promises.md) lists all guarantees.

## Limits

- **A killed process reports nothing.** The object that it created last is not in the state. The next \`pulumi up\` finds this object,
  and asks you to decide about it. An action runs again. After a killed update, the next refresh shows the update as a change that
  no command recorded. With \`quarterdeck:adopt: identical\`, Quarterdeck adopts an object that matches the program. You then
  decide only about values that the server never returns.
- **Race window**: if the server does not check writes (HCP Terraform, Vault, deregistering a Nomad job), an edit between the read
  and the write is overwritten. The window is one round trip and [a few milliseconds](promises.md#length-of-the-race-window).
- **A wrong response in the correct format** cannot be detected. The next read shows the difference.
- **Write-only values** (keys, passwords) are written again after a lost response.
- **An action that leaves no trace**: if its response is lost, Quarterdeck records and reports its outcome as unknown, and never
  repeats it.
`;

/** The groups of faults, and the meaning of each. @type {Readonly<Record<string, string>>} */
const FAULTS = {
  canceled: "The user or the pipeline cancels the command.",
  "concurrent delete": "Another user deletes the object just before or after the request.",
  "concurrent edit": "Another user edits the object just before or after the request.",
  "concurrent identical create": "Another user creates the same object just before or after the request.",
  "concurrent same action": "Another user carries out the same action just before or after the request.",
  "concurrent undo": "Another user reverts the action just before or after the request.",
  "executed twice": "The server executes the write twice and answers the second execution.",
  "gateway error": "A gateway answers 502, 503 or 504. The server may have executed the request.",
  "incomplete list": "A list lacks elements, or ends too early.",
  "invalid response": "A 200 response with an empty body, `null`, `{}`, HTML or a different object.",
  killed: "The provider process is killed.",
  "lost or delayed message": "The request or its response is lost, truncated or too late.",
  "no further responses": "No server responds until the operation times out.",
  "rate limit": "The server answers 429 with `Retry-After`.",
  "rejected token": "The server answers 401 or 403 during the operation, once or from then on.",
  "response before execution":
    "The connection breaks or a gateway answers, and the server executes the write later.",
  "server error": "The server answers 500. It may have executed the request.",
  "stale read": "A read returns the state before the latest write.",
  "two faults": "Two random faults in the same command.",
  "wrong server clock": "The server's clock is one hour ahead or behind, with or without a lost response.",
};

/** The legend: one row for each outcome. */
function legend(outcomes) {
  return [
    "| | Outcome | Meaning |",
    "| --- | --- | --- |",
    ...outcomes.map((name) => `| ${SIGNS[name]} | ${name} | ${OUTCOMES[name]} |`),
  ].join("\n");
}

/** Writes the page from rows of token, kind of fault, outcome and count. */
export function reliabilityPage(rows) {
  const outcomes = Object.keys(OUTCOMES).filter((name) => rows.some((row) => row[2] === name));
  const total = sum(rows);
  return `${BEFORE}
## Results

${total.toLocaleString("en")} runs in the dialect \`neutral\`. The results by fault and resource are in two tables: [\`neutral\`](reliability-table.md)
and [\`real\`](reliability-real.md) (\`npm run soak -- faults --real\`). \`tests/faults/known.ts\` contains the causes of the known issues.

${legend(outcomes)}

### Faults

| Fault | Meaning |
| --- | --- |
${Object.entries(FAULTS)
  .map((row) => `| ${row.join(" | ")} |`)
  .join("\n")}

### By fault

${table(rows, 1, outcomes, "fault")}
### By resource

${table(rows, 0, outcomes, "resource")}`;
}

/** The number of runs per outcome in a dialect, by resource and kind of fault. */
export function reliabilityTable(rows, dialect) {
  const outcomes = Object.keys(OUTCOMES).filter((name) => rows.some((row) => row[2] === name));
  const signs = new Map(outcomes.map((name) => [name, SIGNS[name]]));
  const [tokens, groups] = [0, 1].map((column) => [...new Set(rows.map((row) => row[column]))].sort());
  const cell = (token, group) =>
    outcomes
      .map((name) => [
        sum(rows.filter((row) => row[0] === token && row[1] === group && row[2] === name)),
        name,
      ])
      .filter(([count]) => count > 0)
      .map(([count, name]) => `${count} ${signs.get(name)}`)
      .join(", ");
  const lines = tokens.map(
    (token) => `| ${[`\`${token}\``, ...groups.map((group) => cell(token, group))].join(" | ")} |`,
  );
  return [
    `# Fault tests in the dialect \`${dialect}\``,
    "",
    `This page lists the outcomes of the [fault tests](reliability.md), by resource and fault. ${sum(rows).toLocaleString("en")} runs; generated by \`npm run soak -- faults${dialect === "real" ? " --real" : ""}\`.`,
    "",
    legend(outcomes),
    "",
    `| resource | ${groups.join(" | ")} |`,
    `| --- |${" --- |".repeat(groups.length)}`,
    ...lines,
    "",
  ].join("\n");
}

/** The abbreviations of the outcomes in the large table. @type {Readonly<Record<string, string>>} */
const SIGNS = {
  "no effect": "n",
  reported: "r",
  corrected: "c",
  decision: "d",
  "manual delete": "m",
  "edit preserved": "p",
  repeated: "x",
  unknown: "u",
  warned: "w",
  overwritten: "o",
  "known issue": "k",
};

function table(rows, column, outcomes, title) {
  const names = [...new Set(rows.map((row) => row[column]))].sort();
  const lines = names.map((name) => {
    const own = rows.filter((row) => row[column] === name);
    const counts = outcomes.map((outcome) => sum(own.filter((row) => row[2] === outcome)) || "");
    return `| ${[column === 0 ? `\`${name}\`` : name, sum(own), ...counts].join(" | ")} |`;
  });
  return [
    `| ${[title, "runs", ...outcomes].join(" | ")} |`,
    `| --- |${" ---: |".repeat(outcomes.length + 1)}`,
    ...lines,
    "",
  ].join("\n");
}

function sum(rows) {
  return rows.reduce((total, row) => total + row[3], 0);
}
