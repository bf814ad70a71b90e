import type { HttpRequest } from "../../provider/core/http/request";
import type { AnyDefinition } from "../../provider/core/language/resource";
import { methodOf, type Needed, permissionsIn, routePath } from "../../provider/core/language/route";
import { formatJson, isObject } from "../../provider/core/value/json";
import { GRANTS, PROJECTS } from "./grantedPermissions";
import { Resource } from "./resource";
import type { World } from "./world";

/** The permissions that the definitions' table requires for a request. */
function neededFor({ service }: AnyDefinition, request: HttpRequest): readonly Needed[] {
  const method = methodOf({
    method: request.method as "GET",
    ...(request.query?.list === "true" && { query: { list: "true" } }),
  });
  const found = permissionsIn(service.permissions, method, routePath(service, pathOf(request)) ?? "");
  if (found === undefined) throw new Error(`no row says what ${method} ${request.path} needs`);
  return found.filter(({ when }) => when === undefined || !isNotNeeded(when, request));
}

/** The path that determines the permissions of a request: only the body of some writes names the object. */
function pathOf({ method, path, body }: HttpRequest): string {
  const [operation] = path === "/v1/txn" && Array.isArray(body) ? body : [];
  if (isObject(operation) && isObject(operation.KV)) return `/v1/kv/${String(operation.KV.Key)}`;
  if (method !== "PUT" || path !== "/v1/config" || !isObject(body)) return path;
  const name = body.Name ?? body.Kind;
  return `${path}/${encodeURIComponent(String(body.Kind))}/${encodeURIComponent(String(name))}`;
}

/** Whether a conditional permission is not needed for this request. */
function isNotNeeded(when: string, { body }: HttpRequest): boolean {
  if (/policyOverride/.test(when)) return !(isObject(body) && body.PolicyOverride === true);
  const text = formatJson(body ?? null);
  const project = /"project":\{"data":\{[^}]*"id":"([^"]+)"/.exec(text)?.[1];
  if (/projectId/.test(when))
    return project === undefined || (/default project/.test(when) && project === PROJECTS[0]);
  return /githubApp/.test(when) && !/"github-app-installation-id":"/.test(text);
}

/** The lifecycle of one resource, on a new mock server. */
export interface Story {
  readonly definition: AnyDefinition;
  world(): Promise<World>;
  /** Its steps, in order. */
  steps(resource: Resource): readonly (() => Promise<unknown>)[];
  /** Whether a token without all permissions gets a filtered result that is marked as filtered. */
  readonly isShownInPart?: true;
}

/** The request of a story that lacks a permission. */
interface Lacking {
  readonly at: number;
  readonly lacks: Needed;
}

export interface StoryResult {
  /** The permissions that each request needed, in order. */
  readonly needed: readonly (readonly Needed[])[];
  /** The HTTP status of the request that lacked a permission. */
  readonly refused: number | undefined;
  readonly isFailed: boolean;
  /** Repeated requests: of these only a response that proves something is of use. */
  readonly repeated: ReadonlySet<number>;
  readonly methods: readonly string[];
  /** The results of its steps. */
  readonly answers: readonly unknown[];
  /** Its error and its warnings. */
  readonly messages: readonly string[];
}

/**
 * Runs a story with a token that has exactly the permissions of each request; one permission can be missing at one request. If
 * the results of a service depend on permissions, the token also has those of the complete story.
 * @param held the permissions of the complete story; undefined for a token with all permissions
 */
export async function runStory(
  { definition, world: open, steps }: Story,
  held?: readonly Needed[],
  lacking?: Lacking,
): Promise<StoryResult> {
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
    const additional = name === "workspaces" && !isLacking ? held : [];
    world.stub.seed(await grant(TOKEN, [...additional, ...has], owner), world.now);
    return "passes";
  };
  world.onResponse = (_, { status }) => {
    if (needed.length - 1 === lacking?.at) refused ??= status;
  };
  const answers: unknown[] = [];
  const messages: string[] = [];
  let isFailed = false;
  const resource = new Resource(world, definition);
  for (const step of steps(resource)) {
    if (isFailed) break;
    try {
      answers.push(await step());
    } catch (error) {
      isFailed = true;
      messages.push(String(error));
    }
  }
  return { needed, refused, isFailed, repeated, methods, answers, messages: [...messages, ...world.logged] };
}

const TOKEN = "just-enough";
