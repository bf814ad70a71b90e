import * as pulumi from "@pulumi/pulumi";
import { holdsSecret, protect } from "./documents";
import type { ResourceKind } from "./kind";
import { providerText } from "./providerText";
import { secretPaths } from "./secretPaths";
import { withCustomTimeouts } from "./timeouts";

/** The output that holds the provider's records: what it wrote, and what it saw. */
const RECORDS = "__quarterdeck";

/**
 * The properties with which a resource is registered: what the program wrote, a place for every output, and the
 * text that leads the engine's host to the provider. Properties that do not exist are handed over too, because
 * the provider's check names the one that was probably meant.
 * @throws Error naming every required property that is missing, and for options that the engine would pass over.
 */
export function propertiesOf(
  kind: ResourceKind,
  name: string,
  args: object | undefined,
  opts: pulumi.CustomResourceOptions | undefined,
): pulumi.Inputs {
  const places = Object.fromEntries(
    [...kind.inputs, ...kind.outputs].map((property) => [property, undefined]),
  );
  const __provider = providerText(kind.token);
  if (opts?.id !== undefined) return { ...places, __provider };
  const given: Readonly<Record<string, unknown>> = { ...args };
  const timeouts = withCustomTimeouts(given.timeouts, opts?.customTimeouts, calledAs(kind, name));
  const written = timeouts === given.timeouts ? given : { ...given, timeouts };
  refuseMissing(kind, name, written);
  refuseOptions(kind, name, opts);
  return {
    ...places,
    ...withSecrets(kind, written),
    __aside: asideOf(written, opts),
    __provider,
  };
}

/**
 * What the provider is to know beside the inputs: the paths that the program marked secret, and those under
 * `ignoreChanges`. The engine tells a dynamic provider of neither. Undefined where there are none.
 */
async function asideOf(written: object, opts: pulumi.CustomResourceOptions | undefined) {
  const secrets = await secretPaths(written);
  const ignored = opts?.ignoreChanges ?? [];
  if (secrets === undefined && ignored.length === 0) return undefined;
  return { ...(secrets && { secrets }), ...(ignored.length > 0 && { ignored }) };
}

/** The options with the outputs that the engine must keep encrypted. */
export function optionsOf(
  kind: ResourceKind,
  args: object | undefined,
  opts: pulumi.CustomResourceOptions | undefined,
): pulumi.CustomResourceOptions {
  const written: Readonly<Record<string, unknown>> = { ...args };
  const documents = Object.entries(kind.secretMembers).flatMap(([property, names]) =>
    // What is read by its id is not known yet, and may hold a secret.
    opts?.id !== undefined || holdsSecret(written[property], names) ? [property] : [],
  );
  return pulumi.mergeOptions(opts, { additionalSecretOutputs: [RECORDS, ...kind.secrets, ...documents] });
}

function withSecrets(kind: ResourceKind, written: Readonly<Record<string, unknown>>) {
  return Object.fromEntries(
    Object.entries(written).map(([property, value]) => {
      if (value === undefined || value === null) return [property, value];
      if (kind.secrets.includes(property)) return [property, pulumi.secret(value)];
      const names = kind.secretMembers[property];
      return [property, names === undefined ? value : protect(value, names)];
    }),
  );
}

function refuseMissing(kind: ResourceKind, name: string, written: Readonly<Record<string, unknown>>): void {
  const missing = kind.required.filter(
    (property) => written[property] === undefined || written[property] === null,
  );
  if (missing.length === 0) return;
  const properties = missing.length === 1 ? "property" : "properties";
  throw new Error(`${calledAs(kind, name)}: missing required ${properties} ${missing.join(", ")}`);
}

/**
 * The engine cannot import dynamic resources, and would fail later with words that help nobody; and it passes over
 * `replaceOnChanges` without a word, because nobody tells it which properties of a dynamic resource change.
 */
function refuseOptions(
  kind: ResourceKind,
  name: string,
  opts: pulumi.CustomResourceOptions | undefined,
): void {
  if (opts?.import !== undefined) {
    const type = kind.token.replace(":", ".");
    throw new Error(
      `${calledAs(kind, name)}: the option import is not possible here; to manage what exists already write ` +
        `adopt: true, to read it only use ${type}.get(name, id)`,
    );
  }
  if ((opts?.replaceOnChanges ?? []).length > 0) {
    throw new Error(
      `${calledAs(kind, name)}: the option replaceOnChanges is not possible here, the engine would pass over it; ` +
        "to make the object anew once, run pulumi up --replace with its URN",
    );
  }
}

function calledAs(kind: ResourceKind, name: string): string {
  return `${kind.token.replace(":", ".")} ${JSON.stringify(name)}`;
}
