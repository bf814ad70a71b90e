import type { AnyDefinition } from "../language/resource";
import { secretsIn } from "../state/redaction";
import { asideOf, withAside } from "../value/aside";
import type { Path } from "../value/path";
import type { Inputs } from "../value/unknown";
import type { Bag } from "./asideProperty";

/**
 * What a service tells once more under another name of what the program marked, as a role's legacy `arn` beside its
 * `policyArns`: in outputs that the program does not write.
 */
export function copiesIn(definition: AnyDefinition, outputs: Bag, inputs: Inputs) {
  // Models and records hold JSON.
  const held = withAside(outputs as Inputs, asideOf(inputs));
  const all = [inputs, held].flatMap((values) => secretsIn(definition, values)).map(String);
  const secrets = [...new Set(all)].filter((secret) => secret.length >= SHORTEST_COPY);
  return ([name, ...inside]: Path, value: unknown): boolean =>
    inside.length === 0 &&
    typeof value === "string" &&
    inputs[String(name)] === undefined &&
    // A service may make a text of it: an address of a name.
    secrets.some((secret) => value.includes(secret));
}

/** Shorter texts are words that mean something else in another place. */
const SHORTEST_COPY = 8;
