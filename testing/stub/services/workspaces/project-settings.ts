import { isObject, type JsonObject, type JsonValue } from "../../json";
import type { Problem } from "./errors";
import type { Organization } from "./settings";
import type { OrganizationObject, World } from "./world";

const MODE = "default-execution-mode";
const POOL = "default-agent-pool-id";
const OVERWRITES = "setting-overwrites";

type Attributes = Readonly<Record<string, JsonValue>>;

/**
 * Applies the execution mode and the agent pool of a body to a project; null means the organization's. The rules and their
 * messages are those of go-tfe's integration tests.
 */
export function completeProject(
  after: Attributes,
  given: JsonObject,
  { agentPools }: Organization,
  problems: Problem[],
): Attributes {
  const refuse = (name: string, detail: string) =>
    problems.push({ pointer: `/data/attributes/${name}`, detail });
  const overwrites = isObject(given[OVERWRITES]) ? given[OVERWRITES] : {};
  const { [MODE]: ofMode, "default-agent-pool": ofPool } = overwrites;
  if (typeof ofMode === "boolean" && typeof ofPool === "boolean" && ofMode !== ofPool)
    refuse(OVERWRITES, "agent-pool and execution-mode are both given, so their values must be the same");
  if (ofMode === true && !given[MODE]) refuse(MODE, "must be specified if it is overwritten");
  const pool = given[POOL] || null;
  const isInherited = ofMode === false || ofPool === false;
  const mode = isInherited ? null : (after[MODE] ?? null);
  if (mode !== "agent") {
    if (pool !== null) refuse(POOL, "must not be specified unless using 'agent' execution mode");
    return { ...after, [MODE]: mode, [POOL]: null };
  }
  const own = given[POOL] === undefined ? (after[POOL] ?? null) : pool;
  if (own === null) refuse(POOL, "must be specified when using 'agent' execution mode");
  else if (typeof own !== "string" || !agentPools.includes(own)) refuse(POOL, "is not an agent pool");
  return { ...after, [MODE]: mode, [POOL]: own };
}

/** The organization's settings, with the defaults of a project for its workspaces. */
export function defaultsIn(organization: Organization, project: string, { objects }: World): Organization {
  const { [MODE]: mode, [POOL]: pool } = objects.get(project)?.attributes ?? {};
  if (mode !== "remote" && mode !== "local" && mode !== "agent") return organization;
  return {
    ...organization,
    defaultExecutionMode: mode,
    defaultAgentPool: typeof pool === "string" ? pool : null,
  };
}

/** The attributes and relationships of a project in a response: the settings in force, and which are its own. */
export function presentProject({ id, organization, attributes }: OrganizationObject, world: World) {
  const settings = world.organizations.get(organization);
  const { [POOL]: _, ...shown } = attributes;
  const isOwn = typeof attributes[MODE] === "string";
  const inForce = settings && defaultsIn(settings, id, world);
  const mode = inForce?.defaultExecutionMode ?? "remote";
  const pool = mode === "agent" ? (inForce?.defaultAgentPool ?? null) : null;
  return {
    attributes: {
      ...shown,
      [MODE]: mode,
      [OVERWRITES]: { [MODE]: isOwn, "default-agent-pool": isOwn },
    },
    relationships: {
      "default-agent-pool": { data: pool === null ? null : { id: pool, type: "agent-pools" } },
    },
  };
}
