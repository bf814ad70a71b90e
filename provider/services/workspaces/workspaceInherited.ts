import { type Body, isObject, isWritten, type Updated, type Values } from "../../core";

/** Omits inherited settings: they belong to the organization, and not to a program. */
export function withoutInherited({ executionMode, agentPoolId, ...rest }: Values): Values {
  const overwrites = isObject(rest.settingOverwrites) ? rest.settingOverwrites : {};
  return {
    ...rest,
    ...(executionMode !== undefined && overwrites.executionMode !== false && { executionMode }),
    ...(agentPoolId !== undefined && overwrites.agentPool !== false && { agentPoolId }),
  };
}

/** If a program drops its execution mode or its agent pool, the workspace inherits the organization's again. */
export function inheriting(body: Body, { inputs, applied }: Updated): Body {
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
  if (Object.keys(inherited).length === 0) return body;
  const overwrites = body["setting-overwrites"];
  return { ...body, "setting-overwrites": { ...inherited, ...(isObject(overwrites) ? overwrites : {}) } };
}
