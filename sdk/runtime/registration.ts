import * as pulumi from "@pulumi/pulumi";
import { areAnswersSeen, awaitAnswer } from "./answers";
import { bridgeOfStack, ofThisVersion } from "./bridge";
import { protectMembers } from "./documents";
import { dynamicProperties, refuseDynamicOptions, secretOutputs } from "./dynamic";
import { type ResourceKind, typeOn } from "./kind";
import { withSecrets } from "./secrets";

type Written = Readonly<Record<string, unknown>>;

/** What the engine's SDK is told of a resource: its type, name, properties and options. */
export type Registration = [string, string, pulumi.Inputs, pulumi.CustomResourceOptions];

/**
 * What a resource is registered with: what the program wrote, and a place for every output that is not made of the
 * engine's answer later (`giveOutputs`). Properties that do not exist are handed over too, because the provider's check
 * names the one that was probably meant. The engine finds it under its type on the other bridge, too, so that a stack
 * moves from one to the other by its setting alone.
 * @throws Error naming every required property that is missing, and for options that the engine would pass over.
 */
export function registered(
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

/** Where the engine's SDK puts what is known of each property. */
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
