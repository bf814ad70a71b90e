import type { HttpRequest } from "../../provider/core/http/request";
import type { AnyDefinition } from "../../provider/core/language/resource";
import { methodOf, type Needed, rightsIn } from "../../provider/core/language/route";
import { formatJson, isObject } from "../../provider/core/value/json";
import { Resource } from "./resource";
import { GRANTS } from "./rightsGranted";
import type { World } from "./world";

/** What the definitions' table says of a request as it was sent. */
function neededFor({ service }: AnyDefinition, request: HttpRequest): readonly Needed[] {
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
  if (/policyOverride/.test(when)) return !(isObject(body) && body.PolicyOverride === true);
  return /githubApp/.test(when) && !/"github-app-installation-id":"/.test(formatJson(body ?? null));
}

/** A life of one resource, on a fresh service. */
export interface Story {
  readonly definition: AnyDefinition;
  world(): Promise<World>;
  /** Its steps, in order. */
  steps(resource: Resource): readonly (() => Promise<unknown>)[];
  /** Whether whoever may not see everything is answered with a part, and told so. */
  readonly isShownInPart?: true;
}

/** Which request of a life lacks a right. */
interface Lacking {
  readonly at: number;
  readonly lacks: Needed;
}

export interface Lived {
  /** What each request needed, in order. */
  readonly needed: readonly (readonly Needed[])[];
  /** What the service answered to the request that lacked something. */
  readonly refused: number | undefined;
  readonly isFailed: boolean;
  /** Requests that were sent before, just so: of these only an answer that proves something is of use. */
  readonly repeated: ReadonlySet<number>;
  readonly methods: readonly string[];
  /** What its steps answered. */
  readonly answers: readonly unknown[];
  /** Its error, and what it warned of. */
  readonly told: readonly string[];
}

/**
 * A life by a token that has at each request just the rights of it, and beside them those of the whole life, where what a
 * service shows depends on them; but for one, at one request.
 * @param held the rights of the whole life; undefined for one by somebody who may do everything
 */
export async function lived(
  { definition, world: open, steps }: Story,
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
  const answers: unknown[] = [];
  const told: string[] = [];
  let isFailed = false;
  const resource = new Resource(world, definition);
  for (const step of steps(resource)) {
    if (isFailed) break;
    try {
      answers.push(await step());
    } catch (error) {
      isFailed = true;
      told.push(String(error));
    }
  }
  return { needed, refused, isFailed, repeated, methods, answers, told: [...told, ...world.logged] };
}

const TOKEN = "just-enough";
