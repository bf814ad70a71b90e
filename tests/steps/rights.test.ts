import fc from "fast-check";
import type { HttpRequest } from "../../provider/core/http/request";
import type { Values } from "../../provider/core/language/object";
import type { Definition } from "../../provider/core/language/resource";
import { methodOf, type Needed, rightsIn } from "../../provider/core/language/rights";
import { formatJson, isObject } from "../../provider/core/value/json";
import { rounds } from "../rounds";
import { expectAsserted } from "./asserted";
import { Resource } from "./resource";
import { GRANTS } from "./rightsGranted";
import type { Subject } from "./subject";
import { subjects } from "./subjects";

const RUNS = rounds(5, 1);

/** What the definitions' table says of a request as it was sent. */
function neededFor({ service }: Definition, request: HttpRequest): readonly Needed[] {
  const method = methodOf({
    method: request.method as "GET",
    ...(request.query?.list === "true" && { query: { list: "true" } }),
  });
  const found = rightsIn(service.rights, method, pathOf(request).slice(service.prefix.length));
  if (found === undefined) throw new Error(`no row says what ${method} ${request.path} needs`);
  return found.filter(({ when }) => when === undefined || !isSpared(when, request));
}

/** The path by which the rights of a request are known: a write of an entry names it in its body alone. */
function pathOf({ method, path, body }: HttpRequest): string {
  if (method !== "PUT" || path !== "/v1/config" || !isObject(body)) return path;
  const name = body.Name ?? body.Kind;
  return `${path}/${encodeURIComponent(String(body.Kind))}/${encodeURIComponent(String(name))}`;
}

/** Whether what is needed only sometimes is not needed now. */
function isSpared(when: string, { body }: HttpRequest): boolean {
  return /policyOverride/.test(when) && !(isObject(body) && body.PolicyOverride === true);
}

/** One step of a life, and the request of it that lacks a right. */
interface Lacking {
  readonly at: number;
  readonly lacks: Needed;
}

interface Lived {
  /** What each request needed, in order. */
  readonly needed: readonly (readonly Needed[])[];
  /** What the service answered to the request that lacked something. */
  readonly refused: number | undefined;
  readonly isFailed: boolean;
  /** Requests that were sent before, just so: of these only an answer that proves something is of use. */
  readonly repeated: ReadonlySet<number>;
  readonly methods: readonly string[];
  /** Its error, and what it warned of. */
  readonly told: readonly string[];
}

/**
 * A life by a token that has at each request just the rights of it, and beside them those of the whole life, where what a
 * service shows depends on them; but for one, at one request.
 * @param held the rights of the whole life; undefined for one by somebody who may do everything
 */
async function lived(
  { definition, world: open }: Subject,
  programs: readonly [Values, Values],
  held?: readonly Needed[],
  lacking?: Lacking,
): Promise<Lived> {
  const owner = await open();
  const world = held === undefined ? owner : owner.with({ token: TOKEN });
  const { name } = definition.service;
  const grant = GRANTS[name];
  if (grant === undefined) throw new Error(`no grants of ${name}`);
  const needed: (readonly Needed[])[] = [];
  const sent: string[] = [];
  const methods: string[] = [];
  const repeated = new Set<number>();
  let refused: number | undefined;
  world.fate = async (request): Promise<"passes"> => {
    const own = neededFor(definition, request);
    const at = needed.push(own) - 1;
    const { method, path, query, body } = request;
    const text = `${method} ${path} ${JSON.stringify(query)} ${body === undefined ? "" : formatJson(body)}`;
    if (method !== "GET" && sent.includes(text)) repeated.add(at);
    sent.push(text);
    methods.push(method);
    if (held === undefined) return "passes";
    const isLacking = lacking?.at === at;
    const has = isLacking ? own.filter(({ anyOf }) => anyOf !== lacking.lacks.anyOf) : own;
    const beside = name === "workspaces" && !isLacking ? held : [];
    world.stub.seed(await grant(TOKEN, [...beside, ...has], owner), world.now);
    return "passes";
  };
  world.afterwards = (_, { status }) => {
    if (needed.length - 1 === lacking?.at) refused ??= status;
  };
  const told: string[] = [];
  let isFailed = false;
  const resource = new Resource(world, definition);
  const tried = async (step: () => Promise<unknown>) => {
    if (isFailed) return;
    await step().catch((error) => {
      isFailed = true;
      told.push(String(error));
    });
  };
  await tried(() => resource.create(programs[0]));
  await tried(() => resource.up(programs[1]));
  await tried(() => resource.refresh());
  await tried(() => resource.delete());
  return { needed, refused, isFailed, repeated, methods, told: [...told, ...world.logged] };
}

const TOKEN = "just-enough";

describe.each(subjects)("the rights that the reference names for %s", (token, subject) => {
  test("are enough for its whole life, and without any one of them the request is refused, which the error says", async () => {
    let asserted = 0;
    await fc.assert(
      fc.asyncProperty(subject.programs, subject.programs, async (first, second) => {
        const programs = [first, second] as const;
        const held = (await lived(subject, programs)).needed.flat();
        const whole = await lived(subject, programs, held);
        expect(whole.isFailed ? whole.told : []).toEqual([]);
        for (const [at, needed] of whole.needed.entries()) {
          for (const lacks of needed) {
            const { refused, told, isFailed } = await lived(subject, programs, held, { at, lacks });
            const about = { at, lacks, told };
            // What is needed only where an entry leads on is often not needed.
            if (lacks.when !== undefined && refused === 200) continue;
            if (!isShownInPart(lacks))
              expect({ about, isRefused: refused === 403 || refused === 404 }).toEqual({
                about,
                isRefused: true,
              });
            asserted += 1;
            if (isHiddenRead(token, whole.methods[at]) || (!isFailed && whole.repeated.has(at))) continue;
            // What we say of it, and not the service's own words.
            expect(told.join("\n").split("The token needs").slice(1).join()).toContain(lacks.anyOf[0]);
          }
        }
      }),
      { numRuns: RUNS },
    );
    expectAsserted(token, asserted);
  });
});

/** A 404 of who may not look is taken for what it says, where the organization's list agrees: that is told then. */
const isHiddenRead = (token: string, method: string | undefined) =>
  token.startsWith("workspaces:") && method === "GET";

/** A list is never refused to a member: it only shows less. */
const isShownInPart = ({ anyOf }: Needed) => anyOf[0] === "membership";
