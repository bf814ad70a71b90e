import { remediesOf } from "../../provider/core/http/remedies";
import { formatJson, parseJson } from "../../provider/core/value/json";
import type { Answer } from "../../testing/stub/frame/answer";
import { all } from "../faults/all";
import { failureOf, refresh, up } from "../faults/commands";
import type { FaultSubject, Scenario } from "../faults/faultSubject";
import { chance } from "../faults/pairs";
import { Process } from "../faults/process";
import { passes } from "../faults/wire";
import { rounds } from "../rounds";
import { below, type Chance, mangledBytes, mangledJson, oneOf } from "./mangled";
import { Watched } from "./watched";

jest.mock("../../provider/core/value/fileDigest", () => jest.requireActual("../faults/files"));

const ROUNDS = rounds(12, 1);
const SEED = Number(process.env.QUARTERDECK_SEED ?? 1);

/** Statuses that endpoints return, and some that no endpoint returns. */
const STATUSES = [200, 201, 202, 204, 205, 206, 301, 303, 307, 400, 401, 403, 404, 409, 412, 418, 422, 429];
const LATER_STATUSES = [431, 499, 500, 501, 502, 503, 504, 529, 599];

/** Response headers that the client reads. */
const HEADERS = [
  "content-type",
  "content-encoding",
  "retry-after",
  "location",
  "x-sched-index",
  "x-mesh-index",
  "x-ratelimit-limit",
  "x-ratelimit-remaining",
  "x-ratelimit-reset",
  "x-vault-index",
  "date",
] as const;
const HEADER_VALUES = [
  "",
  "-5",
  "0.5",
  "1e99",
  "NaN",
  "text/html",
  "gzip",
  "br, br, br, br",
  "/v1/../x",
  "\u00ff",
  "~",
];

/** A response with a changed status, header or body. */
function mangled(answer: Answer, random: Chance): Answer {
  const choice = random();
  if (choice < 0.12) return { ...answer, status: oneOf([200, ...STATUSES, ...LATER_STATUSES], random) };
  if (choice < 0.22) {
    const headers = { ...answer.headers, [oneOf(HEADERS, random)]: oneOf(["", ...HEADER_VALUES], random) };
    return { ...answer, headers };
  }
  if (choice < 0.4) return { ...answer, body: mangledBytes(answer.body, random) };
  try {
    return { ...answer, body: Buffer.from(formatJson(mangledJson(parseJson(String(answer.body)), random))) };
  } catch {
    return { ...answer, body: mangledBytes(answer.body, random) };
  }
}

/** Runs a life with some mangled responses, and the user's next commands without them. Returns every error. */
async function coursed(tried: FaultSubject, life: Scenario, random: Chance): Promise<(Error | undefined)[]> {
  const { resource, wire, time } = Process.first(await tried.world(), tried.definition);
  await time.until(life.before(resource));
  await time.until(time.sleep(60_000));
  const share = 0.3 + 0.7 * random();
  wire.happening = () => async (passage) => {
    const answer = await passage.carryOut();
    passage.answer(random() < share ? mangled(answer, random) : answer);
  };
  const errors = [await time.until(failureOf(life.command(resource, () => undefined)))];
  wire.happening = () => passes;
  errors.push(await time.until(failureOf(refresh(resource))));
  if (life.program !== undefined && !life.deletesObject)
    errors.push(await time.until(failureOf(up(resource, life.program))));
  return errors;
}

const watched = new Watched();
afterAll(() => watched.end());

describe.each(all)("mangled responses to a %s", (token, make) => {
  test(`are accepted, or cause an error with a remedy (seed ${SEED})`, async () => {
    const tried = await make();
    const random = chance(SEED + below(2 ** 20, chance(token.length)) + token.charCodeAt(token.length - 1));
    const before = watched.wrong.length;
    for (const life of await tried.lives()) {
      for (let round = 0; round < ROUNDS; round += 1) {
        const errors = await watched.try(
          `${token}, ${life.name}, round ${round}`,
          () => coursed(tried, life, random),
          () => false,
        );
        for (const error of errors ?? [])
          if (error !== undefined && remediesOf(error) === undefined)
            watched.wrong.push(`${token}, ${life.name}, round ${round}: ${error.stack}`);
      }
    }
    expect(watched.wrong.slice(before)).toEqual([]);
  }, 600_000);
});
