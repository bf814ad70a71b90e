import type { Reason } from "./migration";
import type { Plan } from "./plan";

/**
 * Compares a plan with a migration: it must forget each migrated object, and delete nothing. An object that is not in the state
 * of the plan was removed before.
 */
export function wrongActions({ actions, inState }: Plan, migrated: ReadonlySet<string>): Reason[] {
  return [...new Set([...actions.keys(), ...migrated])].flatMap((address): Reason[] => {
    const planned = actions.get(address) ?? [];
    const names = planned.join(", ");
    if (planned.includes("delete")) {
      const remedy = migrated.has(address) ? ": add its block of removed.tf, or run state-rm.sh" : "";
      return [{ address, why: `the plan deletes the object (${names})${remedy}` }];
    }
    if (!migrated.has(address) || planned.includes("forget")) return [];
    if (planned.length > 0)
      return [{ address, why: `the plan keeps the object in the state (${names}): remove its block` }];
    if (!inState.has(address)) return [];
    return [{ address, why: "the object is in the state, and not in the plan: plan all resources" }];
  });
}
