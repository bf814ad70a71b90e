import { Redactor } from "../../../../provider/core/http/redact/redactor";
import { presentableWords } from "../../../../provider/core/http/words";
import { randomBytes } from "../../../bytes";

/** Milliseconds of this process's own time: others' work on the machine counts for little. */
function ownTime(run: () => unknown): number {
  const before = process.cpuUsage();
  run();
  return process.cpuUsage(before).user / 1000;
}

/** Milliseconds for which a time is measured again and again, before it is believed to be as long as it looks. */
const LONGEST_DOUBT_MS = 60_000;

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

/**
 * From the smaller size to the larger one, several doublings at once: what a busy machine adds is less than what lies
 * between three times and four times, as often as that.
 */
const DOUBLINGS: readonly (readonly [number, number])[] = [
  [2 ** 13, 2 ** 18],
  [2 ** 18, 2 ** 20],
];

test.each(Object.keys(TEXTS))(
  "twice the text takes at most three times the time: %s",
  (name) => {
    const textOf = TEXTS[name] ?? (() => "");
    const redactor = new Redactor([secret, "root", "hunter22"]);
    const time = (text: string) => ownTime(() => presentableWords(redactor.mask(text)));
    time(textOf(2 ** 15));
    for (const [small, large] of DOUBLINGS) {
      const bound = 3 ** Math.log2(large / small);
      const [less, more] = [textOf(small), textOf(large)];
      const shortest = { less: time(less), more: time(more) };
      for (let spent = 0; spent < LONGEST_DOUBT_MS && shortest.more > bound * shortest.less; ) {
        const again = time(more);
        spent += again;
        shortest.more = Math.min(shortest.more, again);
      }
      expect(shortest.more).toBeLessThanOrEqual(bound * shortest.less);
    }
  },
  300_000,
);

test("100 secrets of 100 kB are masked at once, the making included", () => {
  const secrets = Array.from({ length: 100 }, () => randomBytes(75_000).toString("base64"));
  // What stands around them is of no secret: a letter might be the next one of it.
  const text = `failed: <${secrets[7]?.slice(1000, 17_000)}> and <${secrets[99]?.slice(-16_000)}>.`;
  let masked = "";
  const time = Math.min(
    ...[1, 2, 3].map(() =>
      ownTime(() => {
        masked = new Redactor(secrets).mask(text);
      }),
    ),
  );
  expect(masked).toBe("failed: <[secret]> and <[secret]>.");
  // A third of a second where nobody else is at work; within a test on a busy machine four times that was measured.
  expect(time).toBeLessThan(3000);
});
