import { resourcesIn } from "../stacks/deployment";
import { SettingsOfState } from "../stacks/settings";
import { machineFound } from "./machine";
import type { Diagnosis } from "./report";
import { servicesFound } from "./services";

/** What is looked at. */
export interface DiagnosisOptions {
  /** An exported state, its secrets shown; its settings are looked at where nothing newer says them. */
  readonly state?: string | Uint8Array;
  /** The stack's configuration by full keys, `quarterdeck:scheduler`. */
  readonly configuration?: ReadonlyMap<string, string>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Where the programs stand. */
  readonly folder: string;
  /** The versions of Node that the package takes, `>=22.19`. */
  readonly node: string;
}

/**
 * Looks at all that stands between a program and its services, and writes nothing anywhere.
 * @throws UnreadableState where the state is no exported one with its secrets shown
 */
export default async function diagnosis(options: DiagnosisOptions): Promise<Diagnosis> {
  const { state, configuration, env, folder, node } = options;
  const resources = state === undefined ? [] : resourcesIn(state);
  const settings = new SettingsOfState(resources, { configuration, env });
  const { configuration: own, source, key } = settings.ofNone();
  const at = new Date().toISOString();
  const machine = await machineFound({
    folder,
    node,
    bridge: configuration?.get("quarterdeck:bridge"),
  });
  return {
    at,
    findings: [
      ...machine,
      ...(await servicesFound(
        own,
        source,
        resources.filter((resource) => settings.of(resource).key === key),
      )),
    ],
  };
}
