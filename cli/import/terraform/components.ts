import { plainName } from "../../list/names";
import type { Component } from "../../programs/program";
import type { ImportedResource } from "./migration";
import { keyText, type ModuleCall } from "./source";
import { camelCase, capitalized, type Variables } from "./variables";

/** A component for an instance of a module. */
export interface ModuleComponent extends Component {
  /** The address of the instance: `module.net[0]`. */
  readonly address: string;
}

/** A component for each instance of a module that contains imported resources, parents first. */
export function componentsOf(imports: readonly ImportedResource[], variables: Variables): ModuleComponent[] {
  const components = new Map<string, ModuleComponent>();
  for (const { sources } of imports) {
    for (let depth = 1; depth <= sources[0].modules.length; depth += 1) {
      const calls = sources[0].modules.slice(0, depth);
      const address = addressOf(calls);
      if (components.has(address)) continue;
      const label = plainName(
        calls.flatMap(({ name, key }) => [name, ...(key === undefined ? [] : [key])]).join("-"),
      );
      const type = `terraform:modules:${capitalized(camelCase(calls.at(-1)?.name ?? ""))}`;
      const parent = components.get(addressOf(calls.slice(0, -1)))?.variable;
      const variable = variables.choose(label, "terraform:Module");
      components.set(address, { address, type, label, variable, ...(parent !== undefined && { parent }) });
    }
  }
  return [...components.values()];
}

/** The variable of the component that contains an imported resource. */
export function componentOf(
  { sources }: ImportedResource,
  components: readonly ModuleComponent[],
): string | undefined {
  const address = addressOf(sources[0].modules);
  return components.find((component) => component.address === address)?.variable;
}

const addressOf = (calls: readonly ModuleCall[]) =>
  calls.map(({ name, key }) => `module.${name}${keyText(key)}`).join(".");
