import { Counter } from "../counter";
import { rounds } from "../rounds";
import { all } from "./all";
import { capabilityOf } from "./capability";
import { resultsOf } from "./cells";
import { ChangeCoverage } from "./changeCoverage";
import type { Fault } from "./fault";
import type { Scenario } from "./faultSubject";
import type { Verdict } from "./judge";
import { known, knownOfTwo } from "./known";
import { chance, runRandomPair } from "./pairs";
import { rules } from "./rules";
import type { PlacedFault } from "./scenarioRun";
import { runScenario } from "./scenarioRun";
import { Counts } from "./tally";

jest.mock("../../provider/core/value/fileDigest", () => jest.requireActual("./files"));

/** `npm test` tries every 29th cell of a definition, `npm run soak -- properties` all of them. */
const EVERY = Number(process.env.FAULTS_EVERY ?? (process.env.QUARTERDECK_PROPERTIES === "all" ? 1 : 29));

const counts = new Counts();
/** The number of commands until everything is correct again after two faults. */
const steps = new Counter("steps");
const used = new Set<string>();
/** The outcomes that occurred, with the rule that allows them. */
const seen = new Set<string>();
const stillKnown = new Set<(typeof known)[number]>();

/** The known deviation of a cell from the rules. */
const excuseFor = (token: string, { kind }: Scenario, { name }: Fault) =>
  known.find((one) => one.token.test(token) && one.lives.includes(kind) && one.fault.test(name));

describe.each(all)("every fault at every request of a %s", (token, make) => {
  test("has an outcome that the rules allow", async () => {
    const wrong: string[] = [];
    let number = 0;
    let tried = 0;
    const isChosen = () => {
      number += 1;
      return number % EVERY === 0;
    };
    const subject = await make();
    const userChanges = new ChangeCoverage(subject);
    for await (const { cell, rule, verdict, isAllowed, told } of resultsOf(subject, isChosen)) {
      tried += 1;
      userChanges.happened(cell);
      if (rule) used.add(rule.says);
      if (rule && isAllowed && "outcome" in verdict) seen.add(`${verdict.outcome}: ${rule.says}`);
      const excuse = excuseFor(token, cell.life, cell.fault);
      if (!isAllowed && excuse) stillKnown.add(excuse);
      if (!isAllowed && !excuse) wrong.push(told);
      const isKnown = !isAllowed || !("outcome" in verdict);
      counts.add(token, cell.fault.group, isKnown ? "known issue" : verdict.outcome);
    }
    expect(tried).toBeGreaterThan(0);
    expect(wrong).toEqual([]);
    if (EVERY === 1) expect(await userChanges.missing()).toEqual([]);
  }, 600_000);
});

/** The number of pairs of faults per scenario, and the number of attempts to find a pair that happens. */
const PAIRS = rounds(20, 1);
const TRIES = 4;
const SEED = Number(process.env.QUARTERDECK_SEED ?? 1);

describe.each(all)("two faults in one command of a %s", (token, make) => {
  test(`lose no change, repeat no action, and are reported truthfully (seed ${SEED})`, async () => {
    const tried = await make();
    const can = capabilityOf(tried.definition);
    const random = chance(SEED + token.length);
    const wrong: string[] = [];
    for (const life of await tried.lives()) {
      const free = await runScenario(tried, life);
      let happened = 0;
      for (let tries = 0; free.requests.length > 0 && tries < PAIRS * TRIES && happened < PAIRS; tries += 1) {
        const result = await runRandomPair(tried, life, { free, can, random });
        if (result === undefined) continue;
        happened += 1;
        const { verdict, troubles } = result;
        steps.add(result.steps);
        const isKnown =
          troubles.some(({ fault }) => excuseFor(token, life, fault) !== undefined) ||
          isKnownOfTwo(token, troubles, verdict);
        if ("outcome" in verdict) counts.add(token, "two faults", verdict.outcome);
        else if (isKnown) counts.add(token, "two faults", "known issue");
        else wrong.push(result.told);
      }
    }
    expect(wrong).toEqual([]);
  }, 600_000);
});

/** True if the result of two faults is a known deviation. */
function isKnownOfTwo(token: string, troubles: readonly PlacedFault[], verdict: Verdict): boolean {
  if (!("wrong" in verdict)) return false;
  const names = troubles.map(({ fault }) => fault.name);
  return knownOfTwo.some(
    (one) =>
      one.token.test(token) && one.wrong.test(verdict.wrong) && names.some((name) => one.fault.test(name)),
  );
}

afterAll(() => counts.append());

test("every rule applies to a cell", () => {
  const unused = EVERY > 1 ? [] : rules.filter(({ says }) => !used.has(says));
  expect(unused.map(({ says }) => says)).toEqual([]);
});

test("every outcome that a rule allows occurs", () => {
  const allowed = rules.flatMap(({ says, allows }) => allows.map((outcome) => `${outcome}: ${says}`));
  expect(EVERY > 1 ? [] : allowed.filter((one) => !seen.has(one))).toEqual([]);
});

test("every known deviation still occurs", () => {
  const mended = EVERY > 1 ? [] : known.filter((one) => !stillKnown.has(one));
  expect(mended.map(({ why }) => why)).toEqual([]);
});
