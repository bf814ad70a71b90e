import fc from "fast-check";
import { fieldsOf } from "../../provider/core/language/fields";
import type { Values } from "../../provider/core/language/object";
import { runsOf } from "../redact/readable";
import { schemaErrors } from "../requestLog";
import { rounds, share } from "../rounds";
import { holders, SECRETS } from "../steps/canaryHolders";
import { subjects } from "../steps/subjects";
import { Process } from "./process";
import type { Happening } from "./wire";

/** A service that accepts or rejects requests, and repeats their content in the headers and body of its responses. */
function quoting(secret: string, status: number): Happening {
  return async (passage) => {
    const quote = secret.slice(0, 100).replace(/[^\x21-\x7e]/g, "-");
    const headers = { "content-type": "application/json", "x-request-id": quote };
    passage.answer({
      status,
      headers,
      body: Buffer.from(JSON.stringify({ request_id: quote, errors: [secret] })),
    });
  };
}

/** Creates, updates, reads and deletes. Errors do not matter. */
async function life(process: Process, [first, second]: readonly [Values, Values]): Promise<void> {
  const { resource, time } = process;
  const tried = (step: Promise<unknown>) => time.until(step.catch(() => undefined));
  await tried(resource.create(first));
  if (resource.id === "") return;
  await tried(resource.up(second));
  await tried(resource.refresh());
  await tried(resource.delete());
}

/** The log has a line in the documented format for each request. */
function expectWhole({ lines, wire }: Process): void {
  expect(lines.map(({ method }) => method)).toEqual(wire.requests.map(({ method }) => method));
  for (const line of lines) expect(schemaErrors(line)).toEqual([]);
}

const cases = holders.flatMap((holder) =>
  Object.entries(SECRETS)
    .filter(([, secret]) => holder.only === undefined || holder.only === secret)
    .map(([name, secret]) => [holder.definition.token, name, holder, secret] as const),
);

describe.each(share(cases))("the secret of a %s, %s", (_, __, holder, secret) => {
  test("is in no line of the request log, even if a response quotes it", async () => {
    const programs = holder.programs(secret);
    const whole = Process.first(await holder.world(), holder.definition);
    await life(whole, programs);
    expectWhole(whole);
    expect(whole.lines.length).toBeGreaterThan(1);
    const said: string[] = [];
    for (let index = 0; index < whole.lines.length; index++) {
      for (const status of [400, 500]) {
        const process = Process.first(await holder.world(), holder.definition);
        process.wire.happening = () =>
          process.wire.requests.length - 1 === index
            ? quoting(secret, status)
            : async (passage) => passage.answer(await passage.carryOut());
        await life(process, programs);
        expectWhole(process);
        said.push(JSON.stringify(process.lines));
      }
    }
    expect(runsOf(secret, said.join("\n"))).toEqual([]);
  }, 120_000);
});

describe.each(subjects)("the request log of %s", (_, { definition, programs, world }) => {
  const secrets = fieldsOf(definition).filter(({ facts }) => facts.secret === true);

  test("has one line per request, and contains no secret", async () => {
    await fc.assert(
      fc.asyncProperty(programs, programs, async (first, second) => {
        const process = Process.first(await world(), definition);
        await life(process, [first, second]);
        expectWhole(process);
        const text = JSON.stringify(process.lines);
        for (const { name } of secrets) {
          for (const value of [first[name], second[name]])
            if (typeof value === "string" && value.length > 7) expect(text).not.toContain(value);
        }
      }),
      { numRuns: rounds(10, 2) },
    );
  });
});
