import { stateOf } from "../../provider/core/bridge/records";
import { pack } from "../../provider/core/state/packing";
import { RECORDS } from "../../provider/core/state/records";
import { formatJson, isObject, type Json, parseJson } from "../../provider/core/value/json";
import { all } from "../faults/all";
import type { FaultSubject, Scenario } from "../faults/faultSubject";
import { chance } from "../faults/pairs";
import { Process } from "../faults/process";
import { rounds } from "../rounds";
import { type Chance, mangledJson, mangledText, oneOf } from "./mangled";
import { Watched } from "./watched";

jest.mock("../../provider/core/value/fileDigest", () => jest.requireActual("../faults/files"));

const ROUNDS = rounds(40, 3);
const SEED = Number(process.env.QUARTERDECK_SEED ?? 1);

type Outputs = Process["resource"]["outputs"];

/** The outputs of a resource with mangled records, plain or packed, or with other mangled outputs. */
function mangled(outputs: Outputs, dictionaries: readonly string[], random: Chance): Outputs {
  const { [RECORDS]: records, ...beside } = outputs;
  const text = String(records);
  const variants: readonly [() => Outputs, ...(() => Outputs)[]] = [
    () => ({ ...outputs, [RECORDS]: formatJson(mangledJson(parseJson(text), random)) }),
    () => ({ ...outputs, [RECORDS]: formatJson(mangledJson(parseJson(text), random)) }),
    () => ({ ...outputs, [RECORDS]: mangledText(text, random) }),
    () => ({ ...outputs, [RECORDS]: mangledText(pack(text, beside, dictionaries), random) }),
    () => ({ ...objectOf(mangledJson(beside, random)), [RECORDS]: pack(text, beside, dictionaries) }),
    () => ({ ...objectOf(mangledJson(beside, random)), [RECORDS]: text }),
    () => ({ ...beside, [RECORDS]: mangledJson(text, random) }),
  ];
  return oneOf(variants, random)();
}

const objectOf = (value: Json): Outputs => (isObject(value) ? value : {});

/** Runs every step that reads an edited state, one after the other. */
async function stepped(tried: FaultSubject, life: Scenario, random: Chance, watched: Watched, what: string) {
  const { definition } = tried;
  const { resource, time } = Process.first(await tried.world(), definition);
  await time.until(life.command(resource, () => undefined));
  const { id, inputs, outputs } = resource;
  const edited = mangled(outputs, definition.service.dictionaries?.() ?? [], random);
  const steps: Readonly<Record<string, () => unknown>> = {
    preview: () => resource.preview(inputs),
    refresh: () => time.until(resource.refresh()),
    up: () => time.until(resource.up(inputs)),
    delete: () => time.until(resource.delete()),
  };
  for (const [name, step] of Object.entries(steps))
    await watched.try(`${what}, ${name} of ${formatJson(edited).slice(0, 2000)}`, () => {
      // Like a bridge: unpacks the records, and rejects an invalid state.
      const { values } = stateOf(definition, edited);
      Object.assign(resource, { id, inputs, outputs: values, isHalfDone: false });
      return step();
    });
}

const watched = new Watched();
afterAll(() => watched.end());

/** Each definition once: further entries of a definition differ only in their requests, not in the state. */
const definitions = all.filter(([token], at) => all.findIndex(([other]) => other === token) === at);

describe.each(definitions)("edited states of a %s", (token, make) => {
  test(`are accepted, or rejected with a remedy (seed ${SEED})`, async () => {
    const tried = await make();
    const random = chance(SEED + token.length * 977);
    const before = watched.wrong.length;
    const life = (await tried.lives()).find(({ kind }) => kind === "create" || kind === "act");
    if (life === undefined) throw new Error("nothing makes it");
    for (let round = 0; round < ROUNDS; round += 1)
      await stepped(tried, life, random, watched, `${token}, round ${round}`);
    expect(watched.wrong.slice(before)).toEqual([]);
  }, 600_000);
});
