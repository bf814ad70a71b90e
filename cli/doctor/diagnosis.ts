import { createClient } from "../../provider/core/http/client";
import { resourcesIn, type StackResource, stackOf, tokenOf } from "../state/deployment";
import { readOnlyProvider } from "../state/readOnly";
import { SettingsOfState } from "../state/settings";
import { duplicatesIn } from "./duplicates";
import { machineFound } from "./machine";
import { type Diagnosis, type Finding, skip } from "./report";
import { servicesFound } from "./services";

/** The inputs of a diagnosis. */
export interface DiagnosisOptions {
  /** An exported state with its secrets in plain text; undefined if no stack is selected. */
  readonly state?: string | Uint8Array;
  /** The stack's configuration by full keys, `quarterdeck:scheduler`. */
  readonly configuration?: ReadonlyMap<string, string>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder of the program. */
  readonly folder: string;
  /** The versions of Node that the package supports, `>=22.19`. */
  readonly node: string;
}

/**
 * Checks everything between a program and its servers, and writes nothing.
 * @throws UnreadableState if the state is not an export with its secrets in plain text
 */
export default async function diagnosis(options: DiagnosisOptions): Promise<Diagnosis> {
  const { state, configuration, env, folder, node } = options;
  const resources = state === undefined ? undefined : resourcesIn(state);
  const settings = new SettingsOfState(resources ?? [], { configuration, env });
  const { configuration: own, source, key } = settings.ofNone();
  const at = new Date().toISOString();
  const machine = await machineFound({
    folder,
    node,
    bridge: configuration?.get("quarterdeck:bridge"),
  });
  const here = resources?.filter((resource) => settings.of(resource).key === key);
  const host = readOnlyProvider(own, {
    stack: stackOf(here ?? []),
    // Report a problem without retries.
    createClient: (making) => createClient({ ...making, maxRetries: 0 }),
  });
  return {
    at,
    findings: [
      ...machine,
      ...duplicatesIn(here ?? [], host),
      ...notChecked((resources ?? []).filter((resource) => here?.includes(resource) === false)),
      ...(await servicesFound({ configuration: own, source, resources: here, host })),
    ],
  };
}

/** Resources of explicit providers, whose settings are not checked. */
function notChecked(others: readonly StackResource[]): Finding[] {
  const own = others.filter(({ type }) => tokenOf(type) !== undefined);
  if (own.length === 0) return [];
  const found = skip(
    `not checked: ${own.length} resources of explicit providers, which have their own settings`,
  );
  return [{ about: "state", what: "providers", ...found }];
}
