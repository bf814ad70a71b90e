import { randomBytes } from "node:crypto";
import { Redactor } from "../../../../provider/core/http/redact/redactor";
import { presentableWords } from "../../../../provider/core/http/words";

/** Milliseconds of this process's own time, the least of several runs: others' work on the machine counts for nothing. */
function leastTime(run: () => unknown, runs = 3): number {
  const times = Array.from({ length: runs }, () => {
    const before = process.cpuUsage();
    run();
    const { user } = process.cpuUsage(before);
    return user / 1000;
  });
  return Math.min(...times);
}

const secret = randomBytes(30).toString("base64");
const TEXTS: Readonly<Record<string, (size: number) => string>> = {
  random: (size) => randomBytes(size).toString("latin1"),
  "random base64": (size) => randomBytes((size * 3) / 4).toString("base64"),
  ...Object.fromEntries(
    [
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
    ].map((unit) => [`of ${unit}`, (size: number) => unit.repeat(size / unit.length)]),
  ),
};

test.each(Object.keys(TEXTS))("twice the text takes at most three times the time: %s", (name) => {
  const text = TEXTS[name] ?? (() => "");
  const redactor = new Redactor([secret, "root", "hunter22"]);
  const time = (size: number) => leastTime(() => presentableWords(redactor.mask(text(size))));
  time(2 ** 15);
  for (const size of [2 ** 17, 2 ** 19]) {
    const [once, twice] = [time(size), time(2 * size)];
    // Below some milliseconds it is the collection of garbage that is measured.
    expect(twice).toBeLessThan(Math.max(3 * once, 400));
  }
});

test("100 secrets of 100 kB are masked at once, the making included", () => {
  const secrets = Array.from({ length: 100 }, () => randomBytes(75_000).toString("base64"));
  const text = `failed: ${secrets[7]?.slice(1000, 17_000)} and ${secrets[99]?.slice(-16_000)}.`;
  let masked = "";
  const time = leastTime(() => {
    masked = new Redactor(secrets).mask(text);
  });
  expect(masked).toBe("failed: [secret] and [secret].");
  // A third of a second where nobody else is at work; within a test on a busy machine four times that was measured.
  expect(time).toBeLessThan(3000);
});
