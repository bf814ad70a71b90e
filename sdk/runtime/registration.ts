import * as pulumi from "@pulumi/pulumi";
import { areAnswersSeen, awaitAnswer } from "./answers";
import { bridgeOfStack, ofThisVersion } from "./bridge";
import { protectMembers } from "./documents";
import { dynamicProperties, refuseDynamicOptions, secretOutputs } from "./dynamic";
import { type ResourceKind, typeOn } from "./kind";
import { withSecrets } from "./secrets";

type Written = Readonly<Record<string, unknown>>;

/** The arguments of a registration with Pulumi's SDK: type, name, properties and options. */
export type Registration = [string, string, pulumi.Inputs, pulumi.CustomResourceOptions];

/**
 * The registration of a resource: the program's inputs, and a placeholder for every output that `giveOutputs` does not
 * create later. Unknown properties are passed on too, because the provider's check suggests the intended name. The type on
 * the other bridge is an alias, so that a stack switches between bridges with its setting alone.
 * @throws Error that names every missing required property, or an option that the engine would ignore
 */
export function resourceRegistration(
  kind: ResourceKind,
  name: string,
  args: object | undefined,
  opts: pulumi.CustomResourceOptions | undefined,
): Registration {
  const isRead = opts?.id !== undefined;
  const written: Written = isRead ? {} : { ...args };
  const calledAs = `${kind.token.replace(":", ".")} ${JSON.stringify(name)}`;
  if (!isRead) refuseMissing(kind, calledAs, written);
  const bridge = bridgeOfStack();
  const { properties, options } =
    bridge === "plugin" ? byPlugin(kind, written) : byHost(kind, calledAs, written, opts);
  const aliases = [{ type: typeOn(bridge === "plugin" ? "dynamic" : "plugin", kind.token) }];
  const merged: pulumi.CustomResourceOptions = pulumi.mergeOptions({ ...options, aliases }, opts);
  const type = typeOn(bridge, kind.token);
  const unwritten = [...kind.inputs, ...kind.outputs].filter(
    (property) => !Object.hasOwn(properties, property),
  );
  if (!areAnswersSeen(opts)) return [type, name, { ...placesFor(unwritten), ...properties }, merged];
  const additionalSecretOutputs = [...(merged.additionalSecretOutputs ?? [])];
  awaitAnswer(additionalSecretOutputs, unwritten);
  return [type, name, properties, { ...merged, additionalSecretOutputs }];
}

function byPlugin(kind: ResourceKind, written: Written) {
  return { properties: withSecrets(kind, written, protectMembers), options: ofThisVersion() };
}

function byHost(
  kind: ResourceKind,
  calledAs: string,
  written: Written,
  opts: pulumi.CustomResourceOptions | undefined,
) {
  refuseDynamicOptions(kind, calledAs, opts);
  const options = { additionalSecretOutputs: secretOutputs(kind, written, opts) };
  return { properties: dynamicProperties(kind, calledAs, written, opts), options };
}

/** Placeholders, which Pulumi's SDK replaces with the outputs. */
function placesFor(properties: readonly string[]): pulumi.Inputs {
  return Object.fromEntries(properties.map((property) => [property, undefined]));
}

function refuseMissing(kind: ResourceKind, calledAs: string, written: Written): void {
  const missing = kind.required.filter(
    (property) => written[property] === undefined || written[property] === null,
  );
  if (missing.length === 0) return;
  const properties = missing.length === 1 ? "property" : "properties";
  throw new Error(`${calledAs}: missing required ${properties} ${missing.join(", ")}`);
}
