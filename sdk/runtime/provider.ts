import * as pulumi from "@pulumi/pulumi";
import { ofThisVersion, refuseWithoutPlugin } from "./bridge";
import { protectMembers } from "./documents";

/**
 * The registration of an explicit provider: its settings, with secrets marked.
 * @throws Error on the dynamic bridge, whose host supports only its own provider
 */
export function providerRegistration(
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
