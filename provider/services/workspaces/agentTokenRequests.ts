import {
  ActionableError,
  type Address,
  del,
  editProgram,
  errorFrom,
  errorOfRead,
  get,
  isSuccess,
  listElements,
  listRequestOf,
  type ProcedureInput,
  type ProcedureProgress,
  post,
  probeAfter,
  type RequestContext,
  send,
  sendOnce,
  stringIn,
} from "../../core";
import { attributeOf, document } from "./jsonApi";
import { workspaces } from "./service";
import { documentsIn, isMissing, TO_ITS_END } from "./workspaceGone";

const all = "/agent-pools/{agentPoolId}/authentication-tokens";
const own = "/authentication-tokens/{agentTokenId}";
const tokens = get(all);
// OTF accepts only the type that go-tfe sends. HCP Terraform accepts it too.
const asDocument = document("agent-tokens");
const create = post(all);
const one = get(own);
const remove = del(own);
const pool = get("/agent-pools/{agentPoolId}");
const pools = get("/organizations/{organization}/agent-pools");

/**
 * Creates a token with one request.
 * @throws ActionableError if it is unknown whether the server created a token. The request is not repeated.
 */
export async function createToken(work: ProcedureInput): Promise<ProcedureProgress> {
  const { context, address, inputs, progress, save } = work;
  if (progress.open === true) throw await open(work, "the response to an earlier request was lost.");
  if (progress.id !== undefined) return progress;
  const organization = await organizationOf(work);
  const body = asDocument({ description: inputs.description ?? "" });
  const { answer, lost } = await sendOnce(context, create, address, body);
  if (answer === undefined || (lost && !isSuccess(answer))) {
    save({ organization, open: true });
    throw await open(work, `the response was lost: ${lost?.summary}`);
  }
  if (!isSuccess(answer)) throw errorFrom(context, answer, create, address);
  const { id, token, "created-at": createdAt = null } = workspaces.unwrap(answer.json ?? null);
  if (typeof id !== "string" || typeof token !== "string" || token === "") {
    save({ organization, open: true });
    throw await open(work, `the server returned ${answer.status} without a token.`);
  }
  const known = { organization, id, token, "created-at": createdAt };
  save(known);
  return known;
}

/** The known token if it still exists; undefined if the lists prove that it was deleted. */
export async function readToken({
  context,
  address: { agentPoolId = "" },
  progress,
}: ProcedureInput): Promise<ProcedureProgress | undefined> {
  if (progress.id === undefined) return progress;
  return (await isDeleted(context, placeOf(agentPoolId, progress))) ? undefined : progress;
}

/** Deletes the token. A token that no longer exists counts as deleted. */
export async function deleteToken(work: ProcedureInput): Promise<void> {
  const {
    context,
    address: { agentPoolId = "" },
    progress,
  } = work;
  if (progress.id === undefined) {
    context.log(
      "warning",
      `removed from the state only: the response to the create was lost, so a token may remain. ${await similarTokens(work)}`,
    );
    return;
  }
  const address = placeOf(agentPoolId, progress);
  const { answer, lost } = await sendOnce(context, remove, address);
  if (lost) {
    const isOver = await probeAfter(context, lost, async (asking) => {
      const found = await isDeleted(asking, address);
      return { isApplied: found, found };
    });
    if (isOver) return;
    throw lost;
  }
  if (isSuccess(answer) || (answer.status === 404 && (await isMissingFromLists(context, address)))) return;
  throw errorFrom(context, answer, remove, address);
}

function placeOf(agentPoolId: string, { id = "", organization = "" }: ProcedureProgress): Address {
  return { agentPoolId, agentTokenId: stringIn(id), organization: stringIn(organization) };
}

/** The organization of the pool, whose list proves that the pool was deleted. */
async function organizationOf({ context, address }: ProcedureInput): Promise<string> {
  const answer = await send(context, pool, address, { nature: "read" });
  const { id, "organization-id": organization } = workspaces.unwrap(answer.json ?? null);
  if (isSuccess(answer) && id === address.agentPoolId && typeof organization === "string")
    return organization;
  throw errorOfRead(context, answer, pool, address);
}

/**
 * True if a token was deleted.
 * @throws ServiceError for a response that is neither the token nor a proof
 */
async function isDeleted(context: RequestContext, address: Address): Promise<boolean> {
  const answer = await send(context, one, address, { nature: "read" });
  if (isSuccess(answer) && workspaces.unwrap(answer.json ?? null).id === address.agentTokenId) return false;
  if (answer.status === 404 && (await isMissingFromLists(context, address))) return true;
  throw errorOfRead(context, answer, one, address);
}

/** A 404 means absent or unauthorized. The lists that this token can read distinguish them as well as possible. */
async function isMissingFromLists(context: RequestContext, address: Address): Promise<boolean> {
  const isListed = listRequestOf(context, tokens, address);
  if (await isMissing(isListed, ({ id }) => id === address.agentTokenId)) return true;
  return isMissing(listRequestOf(context, pools, address), ({ id }) => id === address.agentPoolId);
}

async function open(work: ProcedureInput, why: string): Promise<ActionableError> {
  return new ActionableError(
    `it is unknown whether a token was created: ${why} The request is not repeated, because each request creates a token. ${await similarTokens(work)}`,
    [editProgram("delete a token that no agent uses, and change triggers to create another token")],
    { outcome: "unknown", isUnknownForGood: true },
  );
}

/** The tokens that a lost request may have created: a description can have several tokens. */
async function similarTokens({ context, address, inputs }: ProcedureInput): Promise<string> {
  const found: string[] = [];
  try {
    for await (const token of listElements(listRequestOf(context, tokens, address), TO_ITS_END, documentsIn))
      if (attributeOf(token, "description") === inputs.description) found.push(stringIn(token.id));
  } catch {
    return "The tokens of the pool could not be listed.";
  }
  if (found.length === 0) return "The pool has no token with this description.";
  return `Tokens of the pool with this description: ${found.join(", ")}.`;
}
