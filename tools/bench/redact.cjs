// What masking costs: milliseconds of this process's own time for texts of several kinds, by their length.
const { randomBytes } = require("node:crypto");
const { join } = require("node:path");

const built = (path) => require(join(__dirname, "../../dist", path));

const TRIES = 3;
const SIZES = [2 ** 14, 2 ** 16, 2 ** 18];

/** Chance, escapes of each kind, and what begins the shape of a secret. */
const UNITS = [
  "a",
  "a.a",
  "\\",
  "%41",
  "&amp;",
  "&#",
  "a+%2B",
  "://a@",
  "-----BEGIN ",
  "root",
  "<title",
  '"',
  "{{",
];
const TEXTS = {
  random: (size) => randomBytes(size).toString("latin1"),
  "random base64": (size) => randomBytes((size * 3) / 4).toString("base64"),
  ...Object.fromEntries(UNITS.map((unit) => [`of ${unit}`, (size) => unit.repeat(size / unit.length)])),
};

function ownTime(run) {
  let best = Number.POSITIVE_INFINITY;
  for (let tried = 0; tried < TRIES; tried++) {
    const before = process.cpuUsage();
    run();
    best = Math.min(best, process.cpuUsage(before).user / 1000);
  }
  return best;
}

/** A row for each kind of text, and the time of 100 secrets of 100 kB each. Linear work takes four times as long from one column to the next. */
exports.measureRedacting = () => {
  const { Redactor } = built("packages/redact/index.js");
  const { oneLine } = built("provider/core/http/errors.js");
  const redactor = new Redactor([randomBytes(30).toString("base64"), "root", "hunter22"]);
  const rows = Object.entries(TEXTS).map(([name, textOf]) => [
    name,
    ...SIZES.map((size) => {
      const text = textOf(size);
      return ownTime(() => oneLine(redactor.mask(text)));
    }),
  ]);
  const secrets = Array.from({ length: 100 }, () => randomBytes(75_000).toString("base64"));
  const text = `failed: <${secrets[7].slice(1000, 17_000)}> and <${secrets[99].slice(-16_000)}>.`;
  return { sizes: SIZES, rows, many: ownTime(() => new Redactor(secrets).mask(text)) };
};
