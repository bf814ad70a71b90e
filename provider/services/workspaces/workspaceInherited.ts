import {
  type Address,
  type Body,
  get,
  type HookContext,
  type Inheritance,
  isObject,
  isSuccess,
  isWritten,
  send,
  type UpdateInput,
} from "../../core";
import { workspaces } from "./service";

const organization = get("/organizations/{organization}");

/** If a program drops its execution mode or its agent pool, the workspace inherits that of its project or organization again. */
export const inheritance: Inheritance = { flags, values };

/** OTF stores no flags: it always returns them as false, and keeps the workspace's own mode. */
async function values(context: HookContext, address: Address) {
  const answer = await send(context, organization, address, { nature: "read" });
  if (!isSuccess(answer)) return {};
  const executionMode = workspaces.unwrap(answer.json ?? null)["default-execution-mode"];
  return executionMode === undefined ? {} : { executionMode };
}

function flags({ inputs, applied }: UpdateInput): Body {
  const { settingOverwrites } = inputs;
  const own = isObject(settingOverwrites) ? settingOverwrites : {};
  const isDropped = (name: string) => isWritten(applied[name]) && !isWritten(inputs[name]);
  const inherited = {
    // `operations` is the older form of the execution mode, so a program that writes it does not inherit.
    ...(isDropped("executionMode") && !isWritten(inputs.operations) && { "execution-mode": false }),
    ...(isDropped("agentPoolId") &&
      !isWritten(inputs.executionMode) &&
      !isWritten(own.agentPool) && { "agent-pool": false }),
  };
  return Object.keys(inherited).length === 0 ? {} : { "setting-overwrites": inherited };
}
