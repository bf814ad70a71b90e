// The report of one mix: a row for each operation and subject, with what was measured in the middle of the runs.

/** The columns: what is measured, and with how many digits it is told. */
const COLUMNS = { seconds: 2, cpu: 2, requests: 0, megabytes: 0, state: 0 };
const TITLES = ["operation", "subject", "seconds", "CPU s", "requests", "peak MB", "state KB"];
/** What ours is held against: wall time of the others, and on the plugin the processor time of the dynamic bridge. */
const RATIOS = {
  quarterdeck: [
    ["of bare", "seconds", "bare undici"],
    ["of nothing", "seconds", "nothing at all"],
  ],
  "by the plugin": [
    ["of nothing", "seconds", "plugin of nothing"],
    ["CPU of dynamic", "cpu", "quarterdeck"],
  ],
};

/** @param measured figures of each run by `subject/operation` */
exports.tableOf = (operations, subjects, measured) => {
  const middle = (subject, operation, name) => {
    const all = (measured.get(`${subject}/${operation}`) ?? []).map((figure) => figure[name]);
    return all.sort((a, b) => a - b)[Math.floor(all.length / 2)] ?? Number.NaN;
  };
  const rows = operations.flatMap((operation) =>
    subjects.map((subject) => [
      operation,
      subject,
      ...Object.entries(COLUMNS).map(([name, digits]) => middle(subject, operation, name).toFixed(digits)),
      (RATIOS[subject] ?? [])
        .filter(([, , other]) => subjects.includes(other))
        .map(([title, name, other]) => {
          const ratio = middle(subject, operation, name) / middle(other, operation, name);
          return `${ratio.toFixed(2)} ${title}`;
        })
        .join(", "),
    ]),
  );
  return aligned([TITLES, ...rows]);
};

function aligned(table) {
  const widths = table[0].map((_, column) => Math.max(...table.map((row) => row[column].length)));
  return table
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
