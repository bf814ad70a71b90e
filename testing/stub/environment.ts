import { TEST_TOKENS } from "./seed";
import { SERVICE_NAMES } from "./service";
import type { Stub } from "./start";

/** A setting of a program's connections: the service, the setting's name, and its value for the mock servers. */
interface Setting {
  readonly service: string;
  readonly name: string;
  readonly value: string;
}

/** The connection settings for every service of mock servers with the default seed. */
export function settingsOf({ addresses, dialect }: Pick<Stub, "addresses" | "dialect">): readonly Setting[] {
  return SERVICE_NAMES.flatMap((service) => [
    ...(dialect === "real" ? [] : [{ service, name: "dialect", value: dialect }]),
    { service, name: "address", value: addresses[service] },
    { service, name: "token", value: TEST_TOKENS[service] },
    ...(service === "workspaces" ? [{ service, name: "organization", value: "acme" }] : []),
  ]);
}

/** The connection settings as the environment variables that programs and commands of the package read. */
export function environmentOf(stub: Pick<Stub, "addresses" | "dialect">): Readonly<Record<string, string>> {
  return Object.fromEntries(
    settingsOf(stub).map(({ service, name, value }) => [variableOf(service, name), value]),
  );
}

/** The environment variable of a service's setting. */
export function variableOf(service: string, name: string): string {
  return `QUARTERDECK_${service}_${name}`.toUpperCase();
}
