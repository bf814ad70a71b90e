import * as pulumi from "@pulumi/pulumi";
import { ofThisVersion, refuseWithoutPlugin } from "./bridge";
import { protectMembers } from "./documents";

/**
 * What an explicit provider is registered with: its settings, the secret ones marked.
 * @throws Error on the dynamic bridge, whose host knows no providers but its own
 */
export function configured(
  name: string,
  args: object,
  secrets: readonly string[],
  opts: pulumi.ResourceOptions | undefined,
): [string, string, pulumi.Inputs, pulumi.ResourceOptions] {
  refuseWithoutPlugin(`Provider ${JSON.stringify(name)}`);
  const settings = Object.entries(args).map(([setting, value]) => [setting, protectMembers(value, secrets)]);
  return [
    "quarterdeck",
    name,
    Object.fromEntries(settings),
    pulumi.mergeOptions(ofThisVersion(), opts) as pulumi.ResourceOptions,
  ];
}
