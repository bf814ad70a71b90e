import { randomBytes } from "node:crypto";
import { resetIgnored } from "../../state/paths";
import type { ResourceState } from "../../state/resource";
import { isProviderType, nameOf } from "../../state/urn";
import { isList, type PropertyMap, type PropertyValue, Secret, UNKNOWN } from "../../state/values";
import type { Goal } from "../program/goal";
import type { Checked } from "../provider/protocol";
import type { Deployment } from "./deployment";

/**
 * Calls the provider's check for the program's inputs, and reports failures. `old` is the resource to check against;
 * undefined for a new resource or a replacement.
 */
export async function checkInputs(
  deployment: Deployment,
  state: ResourceState,
  goal: Goal,
  old: ResourceState | undefined,
): Promise<PropertyMap | undefined> {
  const { diagnostics } = deployment;
  const olds = old?.inputs ?? {};
  const { inputs, impossible } = old
    ? resetIgnored(goal.inputs, olds, goal.ignoreChanges)
    : { inputs: goal.inputs, impossible: [] };
  if (impossible.length > 0) {
    const paths = JSON.stringify(impossible.join(", "));
    diagnostics.info(`cannot ignore changes in added or removed elements of the path: ${paths}`, state.urn);
  }
  const checked = await check(deployment, state, olds, inputs);
  for (const { property, reason } of checked.failures) {
    const what = property === "" ? "" : `: property ${property} value ${print(goal.inputs[property])}`;
    diagnostics.error(
      `${state.type} resource '${nameOf(state.urn)}'${what} has a problem: ${reason}`,
      state.urn,
    );
  }
  return checked.failures.length > 0 ? undefined : checked.inputs;
}

async function check(
  { providers, preview }: Deployment,
  { urn, type, provider = "" }: ResourceState,
  olds: PropertyMap,
  news: PropertyMap,
): Promise<Checked> {
  if (isProviderType(type)) return providers.check(urn, olds, news);
  const server = await providers.get(provider);
  return server.check(urn, olds, news, { preview, seed: randomBytes(32) });
}

/** Formats a value like the CLI does in a check failure: in Go's notation, with secrets in plain text. */
export function print(value: PropertyValue | undefined): string {
  return value === UNKNOWN ? "output<string>{}" : `{${printContent(value ?? null)}}`;
}

function printContent(value: PropertyValue): string {
  if (value === null) return "<nil>";
  if (value instanceof Secret) return `&{${print(value.value)}}`;
  if (isList(value)) return `[${value.map(print).join(" ")}]`;
  if (typeof value !== "object") return String(value);
  const entries = Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1));
  return `map[${entries.map(([key, one]) => `${key}:${print(one)}`).join(" ")}]`;
}
