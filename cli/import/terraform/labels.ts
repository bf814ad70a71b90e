import { nameKey, plainName, type TakenNames } from "../../list/names";
import type { Target } from "./mappings/mapping";
import type { SourceObject } from "./source";

interface Labelled {
  readonly type: string;
  readonly id: string;
  readonly target: Target;
  readonly sources: readonly [SourceObject, ...SourceObject[]];
}

/**
 * The name of each resource in the program: the names of the modules, the name of the block and the instance key,
 * `net-web-0`. Two resources of one type with the same name get the Terraform type as well, and otherwise numbers in the
 * order of their IDs. A name does not depend on resources of other types.
 * @param taken the names of the resources in the stack
 */
export function labelsOf(imports: readonly Labelled[], taken: TakenNames = new Set()): string[] {
  const short = imports.map((imported) => plainName(ownLabel(imported)));
  const counts = countsOf(imports.map(({ type }, index) => nameKey(type, short[index] ?? "")));
  const labels = imports.map((imported, index) => {
    const label = short[index] ?? "";
    return counts.get(nameKey(imported.type, label)) === 1 ? label : withType(label, imported);
  });
  const used = new Set(taken);
  const inOrder = [...imports.keys()].sort((one, other) =>
    (imports[one]?.id ?? "") < (imports[other]?.id ?? "") ? -1 : 1,
  );
  const own = new Set(imports.map(({ type }, index) => nameKey(type, labels[index] ?? "")));
  for (const index of inOrder) {
    const [type, label] = [imports[index]?.type ?? "", labels[index] ?? ""];
    // A numbered name must not be the name of another resource.
    const isFree = (name: string) =>
      !used.has(nameKey(type, name)) && (name === label || !own.has(nameKey(type, name)));
    let chosen = label;
    for (let number = 2; !isFree(chosen); number += 1) chosen = `${label}-${number}`;
    used.add(nameKey(type, chosen));
    labels[index] = chosen;
  }
  return labels;
}

function countsOf(keys: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

function ownLabel({ sources: [{ modules, name, key }], target }: Labelled): string {
  const parts = [...modules.flatMap((call) => [call.name, call.key]), name, key, target.suffix];
  return parts.filter((part) => part !== undefined).join("-");
}

/** `db-aws-secret-backend` for `vault_aws_secret_backend.db`. */
const withType = (label: string, { sources: [{ type }] }: Labelled) =>
  plainName(`${label}-${type.replace(/^[a-z]+_/, "").replaceAll("_", "-")}`);
