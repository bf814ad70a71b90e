import { z } from "zod";
import {
  ActionableError,
  type Address,
  defineFunction,
  errorOfRead,
  field,
  functionFields,
  get,
  isObject,
  isSuccess,
  type Json,
  listElements,
  listRequestOf,
  manualCheck,
  NotFound,
  type RequestContext,
  send,
  stringIn,
} from "../../core";
import { ownWorkspace, workspaceIdField } from "./ofWorkspace";
import { CURRENT_OUTPUTS } from "./permissions";
import { workspaces } from "./service";
import { documentsIn } from "./workspaceGone";

const currentOutputs = get(CURRENT_OUTPUTS);
const oneOutput = get("/state-version-outputs/{outputId}", { permissionsAt: CURRENT_OUTPUTS });

/** One output in a response. */
type Output = { readonly [member: string]: Json };

/** Reads the outputs of a workspace's current state version (HCP Terraform API: state version outputs). */
export const getWorkspaceOutputs = defineFunction({
  token: "workspaces:getWorkspaceOutputs",
  doc: "Reads the outputs of a workspace's current Terraform state. A workspace without a state is an error: apply a run first. Each sensitive output requires a request of its own.",
  section: "API: state version outputs",
  service: workspaces,
  fields: { workspaceId: workspaceIdField, ...functionFields },
  result: {
    values: field(z.record(z.string(), z.unknown()), {
      doc: "Values of the outputs that are not sensitive, by the name of the output. It contains no outputs that are null.",
    }),
    sensitiveValues: field(z.record(z.string(), z.unknown()), {
      doc: "Values of the sensitive outputs, by the name of the output. It contains no outputs that are null.",
      secret: true,
    }),
  },
  asks: {
    kind: "call",
    async call(context, args) {
      const address = { workspaceId: String(args.workspaceId) };
      const outputs = await listOutputs(context, address);
      const readable = outputs.filter(({ sensitive }) => sensitive !== true);
      const hidden = outputs.filter(({ sensitive }) => sensitive === true);
      const shown = await Promise.all(hidden.map((output) => readOutput(context, address, output)));
      return { values: byName(readable), sensitiveValues: byName(shown) };
    },
  },
});

/** The outputs of the current state version; the values of sensitive ones are null. */
async function listOutputs(context: RequestContext, address: Address): Promise<Output[]> {
  const outputs: Output[] = [];
  try {
    const list = listRequestOf(context, currentOutputs, address);
    for await (const data of listElements(list, { by: "number" }, documentsIn))
      outputs.push(workspaces.unwrap({ data }));
  } catch (error) {
    if (error instanceof NotFound) await rejectMissingState(context, address);
    throw error;
  }
  return outputs;
}

/**
 * A 404 means that the workspace has no state, or that the token cannot see it. The workspace itself distinguishes them.
 * @throws ActionableError if the workspace certainly has no state
 */
async function rejectMissingState(context: RequestContext, address: Address): Promise<void> {
  const answer = await send(context, ownWorkspace, address, { nature: "read" });
  const workspace = workspaces.unwrap(answer.json ?? null);
  if (!isSuccess(answer) || workspace.id !== address.workspaceId || hidesState(workspace)) return;
  throw new ActionableError(`workspace ${JSON.stringify(address.workspaceId)} has no state yet`, [
    manualCheck("Apply a run of the workspace first."),
  ]);
}

/** True if the workspace has a state, or if the token may not read its outputs. */
function hidesState({ permissions = null, ...workspace }: Output): boolean {
  const isDenied = isObject(permissions) && permissions["can-read-state-outputs"] === false;
  return isDenied || workspace["current-state-version-id"] !== undefined;
}

/** Reads a sensitive output with its value. */
async function readOutput(
  context: RequestContext,
  workspace: Address,
  { id, name = null }: Output,
): Promise<Output> {
  const address = { ...workspace, outputId: stringIn(id) };
  const answer = await send(context, oneOutput, address, { nature: "read" });
  const output = workspaces.unwrap(answer.json ?? null);
  if (!isSuccess(answer) || output.id !== id || output.name !== name)
    throw errorOfRead(context, answer, oneOutput, address);
  return output;
}

function byName(outputs: readonly Output[]): { [name: string]: Json } {
  return Object.fromEntries(
    outputs.flatMap(({ name, value }) =>
      value === undefined || value === null ? [] : [[stringIn(name), value] as const],
    ),
  );
}
