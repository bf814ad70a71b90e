import type { StubResponse } from "../../service";
import type { AgentToken } from "./access-records";
import { readResource } from "./documents";
import { invalid, notFound } from "./errors";
import { answer, type Endpoint, NO_CONTENT, type Operation } from "./operation";
import { page } from "./paging";
import { timestamp } from "./render";
import type { World } from "./world";

const COLLECTION = "/agent-pools/:agent_pool_id/authentication-tokens";
const ITEM = "/authentication-tokens/:token_id";
const SECTION = "API: agent tokens";

/** The tokens of an agent pool: list, create, show and delete. */
export const agentTokenEndpoints: readonly Endpoint[] = [
  { method: "GET", path: COLLECTION, section: SECTION, handle: list },
  { method: "POST", path: COLLECTION, section: SECTION, handle: create },
  { method: "GET", path: ITEM, section: SECTION, handle: show },
  { method: "DELETE", path: ITEM, section: SECTION, handle: remove },
];

function list(operation: Operation): StubResponse {
  const { request, world } = operation;
  const pool = thePool(operation, request.params.agent_pool_id);
  const own = [...world.agentTokens.values()].filter((token) => token.pool === pool);
  return answer(page(request, own, (token) => render(token, null)));
}

/** "This endpoint returns the secret text of the created authentication token." */
function create(operation: Operation): StubResponse {
  const { caller, identifiers, request, world } = operation;
  const pool = thePool(operation, request.params.agent_pool_id);
  // The manual documents one type, and go-tfe sends the other.
  const { description } = readResource(request, "authentication-tokens", "agent-tokens").attributes;
  if (typeof description !== "string" || description === "")
    throw invalid({ pointer: "/data/attributes/description", detail: "Description can't be blank" });
  const id = identifiers.fresh("at");
  const token = { id, pool, description, createdAt: request.now, creator: caller.asHolder().id };
  world.agentTokens.set(id, token);
  const [prefix, secret] = [identifiers.fresh(""), identifiers.fresh("")].map((text) => text.slice(1));
  return answer({ data: render(token, `${prefix}.atlasv1.${secret}`) }, 201);
}

function show(operation: Operation): StubResponse {
  return answer({ data: render(theToken(operation), null) });
}

function remove(operation: Operation): StubResponse {
  operation.world.agentTokens.delete(theToken(operation).id);
  return NO_CONTENT;
}

/** Deletes the tokens of a pool that was deleted. */
export function removeTokensOf(world: World, pool: string): void {
  for (const token of [...world.agentTokens.values()])
    if (token.pool === pool) world.agentTokens.delete(token.id);
}

function theToken(operation: Operation): AgentToken {
  const token = operation.world.agentTokens.get(operation.request.params.token_id ?? "");
  if (token === undefined) throw notFound();
  thePool(operation, token.pool);
  return token;
}

/** The ID of an existing pool, for a caller who manages agent pools; throws a 404 for others. */
function thePool({ world, caller }: Operation, id = ""): string {
  const pool = world.objects.get(id);
  if (pool?.type !== "agent-pools" || !caller.manages(pool.organization, "manageAgentPools", false))
    throw notFound();
  return id;
}

/** "A token is only shown upon creation, and cannot be recovered later." */
function render({ id, description, createdAt, creator }: AgentToken, token: string | null): unknown {
  return {
    id,
    type: "authentication-tokens",
    attributes: { "created-at": timestamp(createdAt), "last-used-at": null, description, token },
    relationships: { "created-by": { data: { id: creator, type: "users" } } },
  };
}
