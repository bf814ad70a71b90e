import { readFileSync } from "node:fs";
import { join } from "node:path";
import { formatJson, type Json } from "../../provider/core/value/json";
import { type Path, withPartAt } from "../../provider/core/value/path";
import { isEmpty } from "../../provider/core/value/scalar";
import { chance } from "../faults/pairs";
import type { Recording } from "../recorded/exchange";
import { rounds } from "../rounds";
import { Resource } from "../steps/resource";
import type { Subject } from "../steps/subject";
import { subjects } from "../steps/subjects";
import { below, type Chance, oneOf } from "./mangled";
import { Watched } from "./watched";

const SEED = Number(process.env.QUARTERDECK_SEED ?? 1);
const ROUNDS = rounds(400, 20);

/** Recorded reads of one object on real servers: the resource type, and the ID of the object. */
const READ: readonly (readonly [server: string, path: string, token: string, id: string])[] = [
  ["bao", "/v1/msgq/roles/app", "secrets:QueueRole", "msgq/app"],
  ["bao", "/v1/msgq/config/lease", "secrets:QueueLease", "msgq"],
  ["bao", "/v1/identity/mfa/login-enforcement/everybody", "secrets:LoginEnforcement", "everybody"],
  ["bao", "/v1/ldap/config", "secrets:DirectoryConfig", "ldap"],
  ["bao", "/v1/ldap/static-role/db", "secrets:DirectoryStaticRole", "ldap/db"],
  ["bao", "/v1/ldap/role/reader", "secrets:DirectoryRole", "ldap/reader"],
  ["bao", "/v1/ldap/library/ops", "secrets:LibrarySet", "ldap/ops"],
  ["consul", "/v1/config/service-defaults/web", "mesh:ServiceDefaults", "/default/service-defaults/web"],
  ["consul", "/v1/config/mesh/mesh", "mesh:Mesh", "/default/mesh/mesh"],
  ["consul", "/v1/config/service-resolver/web", "mesh:ServiceResolver", "/default/service-resolver/web"],
  ["consul", "/v1/config/http-route/route", "mesh:HttpRoute", "/default/http-route/route"],
  ["nomad", "/v1/job/recorded", "scheduler:Job", "default/recorded"],
  ["otfd", "/api/v2/workspaces/{workspace}", "workspaces:Workspace", "ws-1234567890abcdef"],
];

type Leaf = string | number | bigint | boolean | null;

const isLeaf = (value: Json): value is Leaf => typeof value !== "object" || value === null;

/** Every leaf of a value, with its path. */
function leavesIn(value: Json, at: Path = []): (readonly [at: Path, leaf: Leaf])[] {
  if (isLeaf(value)) return [[at, value]];
  if (Array.isArray(value)) return value.flatMap((one, index) => leavesIn(one, [...at, index]));
  return Object.entries(value).flatMap(([name, member]) => leavesIn(member, [...at, name]));
}

/** Another value, mostly of the same type, so that it is accepted. */
function another(leaf: Leaf, random: Chance): Json {
  const word = `fuzz${below(1e6, random)}`;
  const number = 1_000_000 + below(1e6, random);
  if (random() < 0.25)
    return oneOf<Json>([null, word, number, true, false, [], {}, [word], { [word]: word }, ""], random);
  if (typeof leaf === "boolean") return !leaf;
  return typeof leaf === "number" ? number : word;
}

/** The leaves of the outputs of a read, without the records. */
function shownBy({ __quarterdeck: _, ...outputs }: Resource["outputs"]): ReadonlyMap<string, string> {
  return new Map(leavesIn(outputs).map(([at, leaf]) => [at.join("."), String(leaf)]));
}

/** Whether an output derives from a value: unchanged, as a string, or in a quotation. */
function isMadeOf(shown: string, value: Json): boolean {
  if (shown === formatJson(value) || (shown === "null" && isEmpty(value))) return true;
  if (!isLeaf(value)) return leavesIn(value).some(([, leaf]) => isMadeOf(shown, leaf));
  // Nanoseconds are shown as seconds, and signals in capitals.
  const isDuration = typeof value === "number" && Number.parseFloat(shown) === value / 1e9;
  return (
    isDuration ||
    (value !== null && value !== "" && shown.toLowerCase().includes(String(value).toLowerCase()))
  );
}

/** Whether a response contains a value anywhere. */
function isContainedIn(answer: Json, shown: string): boolean {
  return leavesIn(answer).some(([, leaf]) => String(leaf) === shown);
}

async function readWith(subject: Subject, path: string, id: string, body: Json): Promise<Resource> {
  const resource = new Resource(await subject.world(), subject.definition);
  resource.world.transformResponse = (request, answer) =>
    request.method === "GET" && request.path === path
      ? { ...answer, status: 200, json: body, text: formatJson(body) }
      : answer;
  await resource.get(id);
  return resource;
}

const watched = new Watched();
afterAll(() => watched.end());

/** Fills in the names and indexes that a recording omits because they differ between runs. */
function filled(body: Json): Json {
  const text = JSON.stringify(body)
    .replaceAll('"<number>"', "7")
    .replaceAll("<volatile>", "2030-01-01T00:00:00Z")
    .replaceAll("ws-<id>", "ws-1234567890abcdef")
    .replaceAll("<id>", "1234567890abcdef")
    .replaceAll("<uuid>", "0c2e7f3a-0000-4000-8000-000000000001");
  // The replacements preserve JSON.
  return JSON.parse(text) as Json;
}

describe.each(READ)("the recorded response of %s to GET %s, read as a %s", (server, path, token, id) => {
  const { exchanges } = JSON.parse(
    readFileSync(join(__dirname, `../recorded/${server}.json`), "utf8"),
  ) as Recording;
  const bodies = exchanges
    .filter((one) => one.method === "GET" && one.path === path && one.answered.status === 200)
    .map(({ answered }) => filled(answered.body));
  const subject = subjects.find(([name]) => name === token)?.[1];
  const asked = path.replace("{workspace}", id);

  test(`changes only outputs that derive from a changed value (seed ${SEED})`, async () => {
    if (subject === undefined) throw new Error(`there is no ${token}`);
    expect(bodies).not.toEqual([]);
    const random = chance(SEED + token.length);
    const wrong: string[] = [];
    let read = 0;
    for (const body of bodies) {
      const leaves = leavesIn(body);
      const before = shownBy((await readWith(subject, asked, id, body)).outputs);
      for (let round = 0; round < ROUNDS; round += 1) {
        const [at, old] = leaves[below(leaves.length, random)] ?? [[], null];
        const value = another(old, random);
        const what = `${at.join(".")}: ${formatJson(old)} made ${formatJson(value)}`;
        const answer = withPartAt(body, at, value);
        const now = await watched.try(what, () => readWith(subject, asked, id, answer));
        if (now === undefined) continue;
        read += 1;
        for (const [where, shown] of shownBy(now.outputs))
          if (before.get(where) !== shown && !isMadeOf(shown, value) && !isContainedIn(answer, shown))
            wrong.push(`${what}: ${where} shows ${shown}, and ${before.get(where)} before`);
      }
    }
    expect(wrong).toEqual([]);
    expect(watched.wrong).toEqual([]);
    expect(read).toBeGreaterThan(0);
  }, 300_000);
});
