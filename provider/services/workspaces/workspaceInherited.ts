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
  type Values,
} from "../../core";
import { workspaces } from "./service";

/**
 * Omits inherited settings: they belong to the organization, and not to a program.
 * @param mode the property with the execution mode
 * @param pool the property with the agent pool
 */
export const withoutInherited =
  (mode: string, pool: string) =>
  ({ [mode]: ownMode, [pool]: ownPool, ...rest }: Values): Values => {
    const { executionMode, agentPool }: Values = isObject(rest.settingOverwrites)
      ? rest.settingOverwrites
      : {};
    return {
      ...rest,
      ...(ownMode !== undefined && executionMode !== false && { [mode]: ownMode }),
      ...(ownPool !== undefined && agentPool !== false && { [pool]: ownPool }),
    };
  };

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
