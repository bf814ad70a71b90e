import fc from "fast-check";
import { subjects } from "../steps/subjects";
import { courseOf } from "./cell";
import { faults, none } from "./faults";
import { judge } from "./judge";
import { known } from "./known";
import { livesOf } from "./lives";
import { type Cell, rules } from "./rules";

/** In a run of the tests, every so many cells of a definition are tried; all of them by `npm run laws`. */
const EVERY = process.env.QUARTERDECK_LAWS === "all" ? 1 : 7;

const used = new Set<string>();
const stillKnown = new Set<(typeof known)[number]>();

describe.each(subjects)("whatever goes wrong with a request of a %s", (token, subject) => {
  test("ends as the rules say", async () => {
    const [first = {}, second = {}] =
      fc.sample(fc.tuple(subject.programs, subject.compatible ?? subject.programs), {
        numRuns: 1,
        seed: 7,
      })[0] ?? [];
    const wrong: string[] = [];
    let number = 0;
    for (const life of livesOf(first, second)) {
      const free = await courseOf(subject, life, none, 0);
      for (const [index, { isRead, method }] of free.requests.entries())
        for (const fault of faults) {
          if (fault.to === (isRead ? "writes" : "reads")) continue;
          number += 1;
          if (number % EVERY !== 0) continue;
          const isAfterWrite = free.requests.slice(0, index).some((sent) => !sent.isRead);
          const cell: Cell = { life, fault, isRead, isAfterWrite };
          const rule = rules.find(({ of }) => of(cell));
          const course = await courseOf(subject, life, fault, index);
          const verdict = judge(course, free, life.name === "update");
          if (rule) used.add(rule.says);
          const isAllowed = "outcome" in verdict && rule?.allows.includes(verdict.outcome);
          const excuse = known.find(
            (one) => one.token.test(token) && one.life === life.name && one.fault.test(fault.name),
          );
          if (!isAllowed && excuse) stillKnown.add(excuse);
          if (!isAllowed && !excuse)
            wrong.push(
              `${life.name}, request ${index} (${method}), ${fault.name}: ${JSON.stringify(verdict)} after ${course.ways.join(", ")}; ${course.told}`,
            );
        }
    }
    expect(number).toBeGreaterThan(0);
    expect(wrong).toEqual([]);
  }, 600_000);
});

test("every rule is for something", () => {
  expect(rules.map(({ says }) => says).filter((says) => !used.has(says))).toEqual([]);
});

test("what is known is still so", () => {
  const mended = EVERY > 1 ? [] : known.filter((one) => !stillKnown.has(one));
  expect(mended.map(({ why }) => why)).toEqual([]);
});
