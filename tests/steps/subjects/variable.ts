import fc from "fast-check";
import type { Values } from "../../../provider/core/language/object";
import type { Definition } from "../../../provider/core/language/resource";
import type { Json } from "../../../provider/core/value/json";
import variable from "../../../provider/services/workspaces/variable";
import variableSetVariable from "../../../provider/services/workspaces/variableSetVariable";
import { expectAccepted, RejectedRequest } from "../rejectedRequest";
import type { Edit, Subject } from "../subject";
import type { World } from "../world";
import { defined, maybe } from "./arbitraries";
import { VARIABLE_SET_ID, WORKSPACE_ID, workspaceWorld } from "./ofWorkspace";

const headers = { authorization: "Bearer owner", "content-type": "application/vnd.api+json" };

/** The path of the variable `region`, by its key: the state of a story may not contain its ID. */
async function pathIn(all: string, world: World): Promise<string> {
  const { json } = await world.send("GET", all, undefined, headers);
  // The stub returns a JSON:API list.
  const { data } = json as { data: { id: string; attributes: { key: string } }[] };
  const own = data.find(({ attributes: { key } }) => key === "region");
  if (own === undefined) throw new RejectedRequest(404, "there is none");
  return `${all}/${own.id}`;
}

async function ask(all: string, world: World, method: string, attributes?: Json): Promise<void> {
  const body = attributes === undefined ? undefined : { data: { type: "vars", attributes } };
  expectAccepted(await world.send(method, await pathIn(all, world), body, headers));
}

/** The readable variable `region` of a collection. An update cannot make a sensitive variable readable again. */
const variableOf = (definition: Definition, owner: Values, all: string): Subject => ({
  definition,
  world: async () => workspaceWorld(definition),
  programs: fc
    .record({
      key: fc.constant("region"),
      category: fc.constant("terraform"),
      value: maybe(fc.constantFrom("eu-west-1", '["eu-west-1"]', "")),
      hcl: maybe(fc.boolean()),
      sensitive: maybe(fc.constant(false)),
      description: maybe(fc.constantFrom("where it runs", "the region", "")),
    })
    .map((program) => defined({ ...owner, ...program })),
  edits: fc.oneof(
    fc.constantFrom("us-east-1", "eu-west-1", "").map((value): Edit => ({ property: "value", value })),
    fc.constantFrom("theirs", "the region").map((value): Edit => ({ property: "description", value })),
    fc.boolean().map((value): Edit => ({ property: "hcl", value })),
  ),
  edit: (world, _, { property, value }) => ask(all, world, "PATCH", { [property]: value }),
  takeAway: (world) => ask(all, world, "DELETE"),
  // The create reads its organization and the other variables first.
  createTakes: () => ["GET", "GET", "POST"],
});

/** The variable `region` of the workspace `app`. */
export const workspaceVariableSubject = variableOf(
  variable,
  { workspaceId: WORKSPACE_ID },
  `/api/v2/workspaces/${WORKSPACE_ID}/vars`,
);

/** The variable `region` of a variable set. */
export const variableSetVariableSubject = variableOf(
  variableSetVariable,
  { variableSetId: VARIABLE_SET_ID },
  `/api/v2/varsets/${VARIABLE_SET_ID}/relationships/vars`,
);
