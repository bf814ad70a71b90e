import type { Json } from "../../../provider/core/value/json";
import { hclText, textInHcl } from "./hcl";

/** Attributes of a Terraform object by their Terraform names, with sensitive values in plain text. Never printed. */
export type Attributes = Readonly<Record<string, Json>>;

/** An object that another tool manages: an instance of a Terraform resource or data source, or a resource of a Pulumi stack. */
export interface SourceObject {
  /** Its address with instance keys, `module.net[0].nomad_job.web["a"]`, or its URN. */
  readonly address: string;
  /** Its address without instance keys, as dependencies name it: `module.net.nomad_job.web`. */
  readonly resource: string;
  readonly mode: "managed" | "data";
  /** For example `nomad_job`. */
  readonly type: string;
  /** The name of the resource block. */
  readonly name: string;
  /** The names of the module calls, each with its instance key. */
  readonly modules: readonly ModuleCall[];
  /** The key of `count` or `for_each`. */
  readonly key?: Key;
  readonly attributes: Attributes;
  /** The texts in attributes that the state marks as sensitive. */
  readonly sensitive: readonly string[];
  /** The alias of its provider configuration. */
  readonly alias?: string;
  /** The resources it depends on, directly or not, without instance keys. */
  readonly dependencies: readonly string[];
  /** The reason why the object must not be migrated: it is tainted or deposed. */
  readonly unusable?: string;
}

export interface ModuleCall {
  readonly name: string;
  readonly key?: Key;
}

export type Key = string | number;

/** The objects that another tool manages. */
export interface MigrationSource {
  readonly tool: "terraform" | "opentofu" | "pulumi";
  /** The version of Terraform or OpenTofu that wrote the state, if it contains one. */
  readonly version?: string | undefined;
  readonly objects: readonly SourceObject[];
}

/** Formats an instance key as part of an address: `[0]`, `["a"]`, or nothing. */
export function keyText(key: Key | undefined): string {
  if (key === undefined) return "";
  return `[${typeof key === "number" ? key : hclText(key)}]`;
}

/** The module calls of an address: `module.net[0].module.db["a"]`. */
export function moduleCalls(address: string): ModuleCall[] {
  return [...address.matchAll(/module\.([^.[\]]+)(?:\[(?:(\d+)|("(?:[^"\\]|\\.)*"))\])?/gs)].map(
    ([, name = "", number, text]) => {
      if (number !== undefined) return { name, key: Number(number) };
      return text === undefined ? { name } : { name, key: textInHcl(text) };
    },
  );
}

/** The value of a JSON text; undefined if it is not JSON. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
