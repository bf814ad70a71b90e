import { MOST_TEXT, Redactor } from "../../../../provider/core/http/redact/redactor";
import { presentableWords } from "../../../../provider/core/http/words";
import { randomBytes } from "../../../bytes";
import { rounds } from "../../../rounds";

/** Milliseconds of this process's own time: others' work on the machine counts for little. */
function ownTime(run: () => unknown): number {
  const before = process.cpuUsage();
  run();
  return process.cpuUsage(before).user / 1000;
}

/** Milliseconds below which a time says little: some machines count them in steps of several. */
const COUNTABLE_MS = 50;

/** The same of what takes less than can be counted: of so many of it that it can. */
function ownTimeEach(run: () => unknown): number {
  for (let times = 1; ; times *= 4) {
    const time = ownTime(() => {
      for (let done = 0; done < times; done++) run();
    });
    if (time >= COUNTABLE_MS) return time / times;
  }
}

/** Milliseconds for which a time is measured again and again, before it is believed to be as long as it looks. */
const LONGEST_DOUBT_MS = 60_000;

/** The shortest time that is measured of something, or the first that is within its bound. */
function shortest(bound: number, run: () => unknown): number {
  let best = Number.POSITIVE_INFINITY;
  for (let spent = 0; spent < LONGEST_DOUBT_MS && best > bound; ) {
    const time = ownTime(run);
    spent += time;
    best = Math.min(best, time);
  }
  return best;
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

/**
 * Several doublings at once, up to the longest text that is read: what a busy machine adds is less than what lies between twice the time and three times, as often
 * as that.
 */
const SMALL = 2 ** 12;
const LARGE = MOST_TEXT;
/** Of what is longer the rest is not read. */
const LARGEST = rounds(2 ** 20, 2 * MOST_TEXT);

/**
 * What takes ten times as long as the others is shorter in a run of the tests: four doublings are tried then, and that no
 * more is read of what is longer than is read, in the laws.
 */
const sizesOf = (name: string): [large: number, largest: number] =>
  name.startsWith("random") ? [rounds(LARGE, 2 ** 16), rounds(LARGEST, 2 ** 16)] : [LARGE, LARGEST];

/** In a run of the tests one text of each kind: chance, escapes of each way to write one, and what begins a secret's shape. */
const IN_TESTS = ["random base64", "of a.a", "of \\", "of %41", "of &amp;", "of ://a@", "of -----BEGIN "];
const tried = Object.keys(TEXTS).filter((name) => rounds(1, 0) === 1 || IN_TESTS.includes(name));

test.each(tried)(
  "twice the text takes at most three times the time: %s",
  (name) => {
    const textOf = TEXTS[name] ?? (() => "");
    const redactor = new Redactor([secret, "root", "hunter22"]);
    const masking = (text: string) => () => presentableWords(redactor.mask(text));
    const [ofLarge, ofLargest] = sizesOf(name);
    const bound = 3 ** Math.log2(ofLarge / SMALL) * ownTimeEach(masking(textOf(SMALL)));
    const large = shortest(bound, masking(textOf(ofLarge)));
    expect(large).toBeLessThanOrEqual(bound);
    const twice = 3 * (large >= COUNTABLE_MS ? large : ownTimeEach(masking(textOf(ofLarge))));
    expect(shortest(twice, masking(textOf(ofLargest)))).toBeLessThanOrEqual(twice);
  },
  300_000,
);

test("100 secrets of 100 kB are masked at once, the making included", () => {
  const secrets = Array.from({ length: 100 }, () => randomBytes(75_000).toString("base64"));
  // What stands around them is of no secret: a letter might be the next one of it.
  const text = `failed: <${secrets[7]?.slice(1000, 17_000)}> and <${secrets[99]?.slice(-16_000)}>.`;
  const masked = () => new Redactor(secrets).mask(text);
  expect(masked()).toBe("failed: <[secret]> and <[secret]>.");
  // A third of a second where nobody else is at work.
  expect(shortest(3000, masked)).toBeLessThanOrEqual(3000);
}, 300_000);
