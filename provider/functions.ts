import type { FunctionDefinition } from "./core/functions/define";
import { ownMember } from "./core/value/json";

/** The functions of each service. Functions and their service are loaded on first use. */
const modules: Readonly<Record<string, () => Functions>> = {
  workspaces: () => load(require("./services/workspaces/functions")),
  scheduler: () => load(require("./services/scheduler/functions")),
  secrets: () => load(require("./services/secrets/functions")),
  mesh: () => load(require("./services/mesh/functions")),
};

type Functions = Readonly<Record<string, FunctionDefinition>>;

function load(module: { default: Functions }): Functions {
  return module.default;
}

/** Every function of this package. */
export function allFunctions(): FunctionDefinition[] {
  return Object.values(modules).flatMap((load) => Object.values(load()));
}

/** The function with this token, if there is one. */
export function functionNamed(token: string): FunctionDefinition | undefined {
  const [service = "", name = ""] = token.split(":");
  return ownMember(ownMember(modules, service)?.() ?? {}, name);
}

/**
 * The function with this token, such as `mesh:getConfigEntry`.
 * @throws RangeError for a function that this package does not have.
 */
export function functionOf(token: string): FunctionDefinition {
  const found = functionNamed(token);
  if (found !== undefined) return found;
  throw new RangeError(`pulumi-quarterdeck has no function ${token}`);
}
