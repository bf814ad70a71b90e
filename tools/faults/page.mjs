/** The possible outcomes, in the page's words. @type {Readonly<Record<string, string>>} */
const OUTCOMES = {
  unharmed: "nothing had to be done",
  told: "told, and the next command brought it about",
  "put right": "the next refresh showed it, and an up put it right",
  decided: "told, and the program said whose it is",
  "by hand": "told, and a person took it away first",
  kept: "somebody else's change stands",
  "done again": "done once more",
  "left open": "told that nobody can know, and left at that",
  warned: "a warning, and left at that",
  "lost in the window": "written over between look and write",
  known: "not as it should be yet",
};

const BEFORE = `# What happens when something goes wrong

This page is made by \`npm run soak -- faults\`, from what came out when every fault was tried at every request of every life of
every resource, in this process, through the real HTTP client against the stub of each service. Each run ends with what a
user does next (the first way on that each error names, at most twice) and, where nobody else was there, a destroy, which may
leave nothing behind; and is held to rules of what must be
(\`tests/faults/rules.ts\`); what the messages say is held to what the service really did. Every seventh of the runs is made by
each of the bridges, too: what an engine hears, sends and keeps is what is told of here (\`tests/faults/bridges.test.ts\`).

## What is promised

- What you were never told of was not lost: nothing is created twice, left behind or written over without a word.
- A write whose answer is lost is looked at, and not repeated blindly. Where even the look does not tell, you are told.
- What is done once (a rotation, a share of a key, credentials) is never sent a second time by itself.
- Where a service checks writes (jobs, configuration entries) no edit of anybody's is ever written over unseen.

## What cannot be known

- **A killed process tells nobody.** What it had just made is in no state: the next up finds it and asks whose it is; an
  action is done again; and the change of an update shows at the next refresh as one that no up knows of. With
  \`quarterdeck:adopt: identical\` what holds just what the program writes is taken over, and there is nothing to say, but for
  what the service never shows.
- **Between the look and the write** of a service that checks nothing (workspaces, secrets, deregistering a job) an edit is
  written over: one round trip, and [a few milliseconds](promises.md#length-of-the-race-window).
- **An answer that is right to the byte** and false cannot be known for false: what is read next shows it.
- **What is written and never shown** (keys, passwords): after a lost answer it is written once more.
- **An action without a trace**, whose answer is lost, is recorded as unclear, told, and never repeated.
`;

/** Writes the page from rows of token, kind of fault, outcome and count. */
export function reliabilityPage(rows) {
  const outcomes = Object.keys(OUTCOMES).filter((name) => rows.some((row) => row[2] === name));
  const total = sum(rows);
  return `${BEFORE}
## What came out

${total.toLocaleString("en")} runs. The columns: ${outcomes.map((name) => `*${name}* (${OUTCOMES[name]})`).join("; ")}.
What is not as it should be yet stands with its cause in \`tests/faults/known.ts\`. What came of each kind of fault at each
resource is [a table of its own](reliability-table.md). The counts are of the dialect \`neutral\`; \`npm run soak -- faults --real\` makes
[the table of the other one](reliability-real.md).

### By what went wrong

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
  const legend = outcomes.map((name) => `${signs.get(name)}: *${name}* (${OUTCOMES[name]})`).join("; ");
  return [
    `# What came out, fault by fault, in the dialect \`${dialect}\``,
    "",
    `Made by \`npm run soak -- faults${dialect === "real" ? " --real" : ""}\`, beside [what is promised](reliability.md). ${sum(rows).toLocaleString("en")} runs.`,
    "",
    `${legend}.`,
    "",
    `| resource | ${groups.join(" | ")} |`,
    `| --- |${" --- |".repeat(groups.length)}`,
    ...lines,
    "",
  ].join("\n");
}

/** The abbreviations of the outcomes in the large table. @type {Readonly<Record<string, string>>} */
const SIGNS = {
  unharmed: "u",
  told: "t",
  "put right": "p",
  decided: "d",
  "by hand": "h",
  kept: "k",
  "done again": "a",
  "left open": "o",
  warned: "w",
  "lost in the window": "l",
  known: "?",
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
