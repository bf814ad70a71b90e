import { z } from "zod";
import { MARK } from "../../../provider/core/bridge/engineValues";
import type { Json } from "../../../provider/core/value/json";
import { Refusal } from "../../refusal";
import { objectOf, withoutSecretMarks } from "../../state/deployment";
import { mappingOf } from "./mappings";
import { textsIn } from "./sensitive";
import { type Attributes, jsonOf, type MigrationSource, type SourceObject } from "./source";

const exported = z.object({
  deployment: z.object({
    resources: z
      .array(
        z.object({
          urn: z.string(),
          type: z.string(),
          id: z.string().optional(),
          custom: z.boolean().optional(),
          external: z.boolean().optional(),
          delete: z.boolean().optional(),
          provider: z.string().optional(),
          outputs: z.record(z.string(), z.unknown()).optional(),
          dependencies: z.array(z.string()).nullish(),
          propertyDependencies: z.record(z.string(), z.array(z.string()).nullish()).nullish(),
        }),
      )
      .optional(),
  }),
});

/** Providers generated from Terraform's: their types have the same names, in another form. */
const BRIDGED = ["consul", "nomad", "tfe", "vault"];

/**
 * Reads the resources of the providers that Pulumi generates from Terraform providers, from an exported state with its secrets
 * in plain text.
 * @throws UnreadableState if a secret is encrypted
 * @throws Refusal if the text is no exported state; the message quotes nothing from the text
 */
export function bridgedState(text: string): MigrationSource {
  const parsed = exported.safeParse(jsonOf(text));
  if (!parsed.success)
    throw new Refusal(
      "the file is not an exported state.\nCreate an exported state with: pulumi stack export",
    );
  const resources = parsed.data.deployment.resources ?? [];
  const objects = resources.flatMap((resource): SourceObject[] => {
    const { urn, type, id = "", external, outputs = {}, provider } = resource;
    const terraformType = terraformTypeOf(type);
    if (terraformType === undefined || external === true) return [];
    const isMapped = mappingOf(terraformType) !== undefined;
    const dependencies = [
      ...(resource.dependencies ?? []),
      ...Object.values(resource.propertyDependencies ?? {}).flatMap((urns) => urns ?? []),
    ];
    const alias = aliasOf(provider);
    return [
      {
        address: urn,
        resource: urn,
        mode: "managed",
        type: terraformType,
        name: urn.split("::").at(-1) ?? urn,
        modules: [],
        attributes: isMapped ? attributesOf(terraformType, { ...outputs, id }) : {},
        sensitive: isMapped ? secretTexts(outputs) : [],
        ...(alias !== undefined && { alias }),
        dependencies: [...new Set(dependencies)],
        ...(resource.delete === true && { unusable: "pulumi up deletes it, after a replacement" }),
      },
    ];
  });
  return { tool: "pulumi", objects };
}

/** `vault_rabbitmq_secret_backend` for `vault:rabbitMq/secretBackend:SecretBackend`; undefined for other providers. */
function terraformTypeOf(type: string): string | undefined {
  const [, product = "", module = "", name = ""] = /^(\w+):(\w+)\/\w+:(\w+)$/.exec(type) ?? [];
  if (!BRIDGED.includes(product)) return undefined;
  return [product, ...(module === "index" ? [] : [module.toLowerCase()]), snakeCase(name)].join("_");
}

/** The name of an explicit provider; undefined for the default provider. */
function aliasOf(provider: string | undefined): string | undefined {
  const name = provider?.split("::").at(-2);
  return name === undefined || name === "default" || /^default_\d+(?:_\d+)*$/.test(name) ? undefined : name;
}

/** The texts of the values that the state stores as secrets. */
function secretTexts(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return MARK in value ? textsIn(withoutSecretMarks(value)) : Object.values(value).flatMap(secretTexts);
}

/** Pulumi names a list of blocks in the plural. */
const BLOCKS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  consul_keys: { keys: "key" },
  consul_key_prefix: { subkey_collection: "subkey" },
};

function attributesOf(type: string, outputs: Readonly<Record<string, unknown>>): Attributes {
  return Object.fromEntries(
    Object.entries(objectOf(withoutSecretMarks(outputs))).map(([name, value]) => {
      const snake = snakeCase(name);
      // The text is JSON, so its values are.
      return [BLOCKS[type]?.[snake] ?? snake, value as Json];
    }),
  );
}

const snakeCase = (name: string) => name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, "_").toLowerCase();
