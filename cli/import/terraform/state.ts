import { z } from "zod";
import type { Json } from "../../../provider/core/value/json";
import { Refusal } from "../../refusal";
import { mappingOf } from "./mappings";
import { markedTexts, sensitiveTexts } from "./sensitive";
import {
  type Attributes,
  jsonOf,
  type Key,
  keyText,
  type MigrationSource,
  moduleCalls,
  type SourceObject,
} from "./source";

const key = z.union([z.string(), z.number()]).optional();

/** The state file of Terraform 0.12 and later and of OpenTofu, as `terraform state pull` prints it. */
const rawState = z.object({
  version: z.literal(4),
  terraform_version: z.string().optional(),
  resources: z.array(
    z.object({
      module: z.string().optional(),
      mode: z.enum(["managed", "data"]),
      type: z.string(),
      name: z.string(),
      provider: z.string(),
      instances: z.array(
        z.object({
          index_key: key,
          status: z.string().optional(),
          deposed: z.string().optional(),
          attributes: z.record(z.string(), z.unknown()).nullish(),
          dependencies: z.array(z.string()).nullish(),
          sensitive_attributes: z.array(z.array(z.object({ value: z.unknown().optional() }))).nullish(),
        }),
      ),
    }),
  ),
});

const shownResource = z.object({
  address: z.string(),
  mode: z.enum(["managed", "data"]),
  type: z.string(),
  name: z.string(),
  index: key,
  provider_name: z.string(),
  values: z.record(z.string(), z.unknown()).nullish(),
  sensitive_values: z.unknown().optional(),
  depends_on: z.array(z.string()).nullish(),
  tainted: z.boolean().optional(),
  deposed_key: z.string().optional(),
});

type ShownModule = z.infer<typeof shownModule>;

const shownModule = z.object({
  address: z.string().optional(),
  resources: z.array(shownResource).nullish(),
  get child_modules(): z.ZodOptional<z.ZodNullable<z.ZodArray<typeof shownModule>>> {
    return z.array(shownModule).nullish();
  },
});

/** The output of `terraform show -json`, also inside a plan. It has no provider aliases. */
export const shownState = z.object({
  format_version: z.string(),
  terraform_version: z.string().optional(),
  values: z.object({ root_module: shownModule }).optional(),
});

/**
 * Reads a state of Terraform or OpenTofu: the output of `terraform state pull` or of `terraform show -json`.
 * @throws Refusal if the text is neither; the message quotes nothing from the text
 */
export function terraformState(text: string): MigrationSource {
  const json = jsonOf(text);
  if (json === undefined)
    throw new Refusal("the file is not valid JSON.\nCreate the file with: terraform state pull > state.json");
  if (typeof json === "object" && json !== null && "planned_values" in json)
    throw new Refusal(
      "the file is a plan, not a state.\nCreate the file with: terraform state pull > state.json\nTo find references in the plan, add: --plan FILE",
    );
  const raw = rawState.safeParse(json);
  if (raw.success) return fromRawState(raw.data);
  const shown = shownState.safeParse(json);
  if (shown.success) return fromShownState(shown.data);
  throw new Refusal(
    "the file is neither a state of Terraform 0.12 or later nor the output of terraform show -json.\nCreate the file with: terraform state pull > state.json",
  );
}

function fromRawState({ terraform_version: version, resources }: z.infer<typeof rawState>): MigrationSource {
  const objects = resources.flatMap(({ module = "", mode, type, name, provider, instances }) => {
    const before = mode === "data" ? "data." : "";
    const calls = moduleCalls(module);
    const path = calls.map((call) => `module.${call.name}`);
    // provider["…/hashicorp/nomad"].east, in a module also module.net.provider["…"].east
    const end = provider.lastIndexOf('"].');
    const alias = end === -1 ? undefined : provider.slice(end + '"].'.length);
    return instances.map((instance): SourceObject => {
      const { index_key, status, deposed, attributes, dependencies, sensitive_attributes } = instance;
      const own = `${before}${type}.${name}`;
      return {
        address: `${module === "" ? "" : `${module}.`}${own}${keyText(index_key)}`,
        resource: [...path, own].join("."),
        mode,
        type,
        name,
        modules: calls,
        ...keyOf(index_key),
        attributes: attributesOf(attributes),
        sensitive: sensitiveTexts(secretive(type, attributes), sensitive_attributes ?? []),
        ...(alias !== undefined && { alias }),
        dependencies: dependencies ?? [],
        ...unusable(status === "tainted", deposed),
      };
    });
  });
  return { tool: toolOf(resources.map(({ provider }) => provider)), version, objects };
}

function fromShownState({ terraform_version: version, values }: z.infer<typeof shownState>): MigrationSource {
  const resources = shownResources({ values });
  const objects = resources.map(({ module, resource }): SourceObject => {
    const { address, mode, type, name, index } = resource;
    const calls = moduleCalls(module);
    const own = `${mode === "data" ? "data." : ""}${type}.${name}`;
    return {
      address,
      resource: [...calls.map((call) => `module.${call.name}`), own].join("."),
      mode,
      type,
      name,
      modules: calls,
      ...keyOf(index),
      attributes: attributesOf(resource.values),
      sensitive: markedTexts(secretive(type, resource.values), resource.sensitive_values),
      dependencies: resource.depends_on ?? [],
      ...unusable(resource.tainted === true, resource.deposed_key),
    };
  });
  return { tool: toolOf(resources.map(({ resource }) => resource.provider_name)), version, objects };
}

interface ShownResource {
  readonly module: string;
  readonly resource: z.infer<typeof shownResource>;
}

/** The resources of a state, each with the address of its module. */
export function shownResources({ values }: Pick<z.infer<typeof shownState>, "values">): ShownResource[] {
  return values === undefined ? [] : resourcesIn(values.root_module);
}

function resourcesIn({ address: module = "", resources, child_modules }: ShownModule): ShownResource[] {
  const own = (resources ?? []).map((resource) => ({ module, resource }));
  return [...own, ...(child_modules ?? []).flatMap(resourcesIn)];
}

const keyOf = (index: Key | undefined) => (index === undefined ? {} : { key: index });

// The text is JSON, so its values are.
const attributesOf = (attributes: Readonly<Record<string, unknown>> | null | undefined): Attributes =>
  (attributes ?? {}) as Readonly<Record<string, Json>>;

/** The attributes without those that Terraform marks as sensitive although they are not secret in this object. */
function secretive(type: string, given: Readonly<Record<string, unknown>> | null | undefined): Attributes {
  const attributes = attributesOf(given);
  const shown = mappingOf(type)?.shown?.(attributes) ?? [];
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => !shown.includes(name)));
}

function unusable(isTainted: boolean, deposed: string | undefined): Pick<SourceObject, "unusable"> {
  if (deposed !== undefined) return { unusable: "deposed: the next terraform apply deletes it" };
  return isTainted ? { unusable: "tainted: the next terraform apply replaces it" } : {};
}

/** OpenTofu's provider addresses contain its own registry, unless the configuration names another one. */
const toolOf = (providers: readonly string[]) =>
  providers.some((provider) => provider.includes("registry.opentofu.org/")) ? "opentofu" : "terraform";
