import {
  canonicalValue,
  type Inputs,
  isObject,
  type Json,
  type Rule,
  rule,
  UNKNOWN,
  type Value,
} from "../../core";
import { entrySpec } from "./entryDocument";
import { partition } from "./service";

/** The address members of an entry, by the property with the same meaning. */
const MEMBERS = { namespace: "Namespace", partition: "Partition" } as const;

/** The address that the entry itself contains. Consul writes the entry there, so reads must use it too. */
export function partsOfEntry({ spec }: Inputs): Readonly<Record<string, Value | undefined>> {
  if (spec === undefined || spec === null || spec === UNKNOWN) return {};
  const entry = canonicalValue(entrySpec, spec);
  if (!isObject(entry)) return {};
  return Object.fromEntries(
    Object.entries(MEMBERS).map(([name, member]) => [name, textOrUnknown(entry[member])]),
  );
}

function textOrUnknown(value: Value | undefined): Value | undefined {
  return value === UNKNOWN || (typeof value === "string" && value !== "") ? value : undefined;
}

/** The rules between the address properties and the entry itself. */
export const placeRules: readonly Rule[] = [
  rule(
    ["spec"],
    (spec) => {
      const own = memberOf(spec, "Partition");
      return hasValue(own) && !partition.safeParse(own).success
        ? "its Partition must be a single partition name (letters, digits and hyphens)"
        : undefined;
    },
    "its `Partition` must be a single partition name",
  ),
  ...Object.entries(MEMBERS).map(([name, member]) =>
    rule(
      [name, "spec"],
      (written, spec) => {
        const own = memberOf(spec, member);
        return hasValue(written) && hasValue(own) && own !== written
          ? `differs from ${member} in spec: set only one of them, or the same value in both`
          : undefined;
      },
      `must equal \`${member}\` in \`spec\`, if \`spec\` contains it`,
    ),
  ),
];

const hasValue = (value: Json | undefined): boolean => value !== undefined && value !== null && value !== "";

function memberOf(spec: Json | undefined, member: string): Json | undefined {
  const entry = spec === undefined || spec === null ? undefined : entrySpec.canonical(spec);
  return isObject(entry) ? entry[member] : undefined;
}
