import type { Service } from "../../provider/core/language/service";
import { environmentName, settingCommand } from "../../provider/core/language/settings";
import type { Given } from "../../provider/core/requests/given";

/** The command that sets a setting where the connection reads it from. */
export function setCommand(
  service: Service,
  { key, variables }: Pick<Given, "key" | "variables">,
  setting: string,
  value: string,
): string {
  const variable = variables[setting] ?? siblingOf(service, variables, setting);
  if (variable !== undefined) return `export ${variable}=${value}`;
  return settingCommand(`${key}.${setting}`, value);
}

/** The command that sets a different token; it contains no token. */
export function setTokenCommand(service: Service, { key, given, variables }: Given): string {
  const variable = variables.token ?? siblingOf(service, variables, "token");
  const isElsewhere = given.tokenFile !== undefined || given.login !== undefined;
  if (variable !== undefined && !isElsewhere) return `export ${variable}=<token>`;
  if (typeof given.tokenFile === "string") return `ls -l '${given.tokenFile}'`;
  if (given.login !== undefined) return `pulumi config get --path '${key}.login'`;
  return `pulumi config set --secret --path '${key}.token'`;
}

/** The variable of a setting, if the address is from a variable of the same kind. */
function siblingOf(service: Service, variables: Given["variables"], setting: string): string | undefined {
  const { address } = variables;
  if (address === undefined) return undefined;
  if (address === environmentName(service, "address")) return environmentName(service, setting);
  const names = service.dialects.real?.variables?.names ?? {};
  const at = names.address?.indexOf(address) ?? -1;
  return names[setting]?.[at] ?? names[setting]?.[0] ?? environmentName(service, setting);
}
