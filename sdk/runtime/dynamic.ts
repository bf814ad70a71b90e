import * as pulumi from "@pulumi/pulumi";
import { refuseWithoutPlugin } from "./bridge";
import { holdsSecret, protect } from "./documents";
import { isProvider, type ResourceKind } from "./kind";
import { providerText } from "./providerText";
import { secretPaths } from "./secretPaths";
import { withSecrets } from "./secrets";
import { withCustomTimeouts } from "./timeouts";

/** What a program wrote as the engine's host hands it to a dynamic provider, with the text that leads the host to ours. */
export function dynamicProperties(
  kind: ResourceKind,
  calledAs: string,
  given: Readonly<Record<string, unknown>>,
  opts: pulumi.CustomResourceOptions | undefined,
): pulumi.Inputs {
  const __provider = providerText(kind.token);
  if (opts?.id !== undefined) return { __provider };
  const timeouts = withCustomTimeouts(given.timeouts, opts?.customTimeouts, calledAs);
  const written = timeouts === given.timeouts ? given : { ...given, timeouts };
  return { ...withSecrets(kind, written, protect), __aside: asideOf(kind, written, opts), __provider };
}

/**
 * What the provider is to know beside the inputs: the paths that the program marked secret, those under `ignoreChanges`,
 * and whether this is a preview, where that makes a difference. The engine tells a dynamic provider of none of them.
 * Undefined where there are none.
 */
async function asideOf(
  { isForetold = false }: ResourceKind,
  written: object,
  opts: pulumi.CustomResourceOptions | undefined,
) {
  const isPreview = isForetold && pulumi.runtime.isDryRun();
  const secrets = await secretPaths(written);
  const ignored = opts?.ignoreChanges ?? [];
  if (secrets === undefined && ignored.length === 0 && !isPreview) return undefined;
  return {
    ...(secrets && { secrets }),
    ...(ignored.length > 0 && { ignored }),
    ...(isPreview && { preview: true }),
  };
}

/** The outputs that the engine must keep encrypted, which no dynamic provider can tell it. */
export function secretOutputs(
  kind: ResourceKind,
  written: Readonly<Record<string, unknown>>,
  opts: pulumi.CustomResourceOptions | undefined,
): string[] {
  const documents = Object.entries(kind.secretMembers).flatMap(([property, names]) =>
    // What is read by its id is not known yet, and may hold a secret.
    opts?.id !== undefined || holdsSecret(written[property], names) ? [property] : [],
  );
  return [...kind.secrets, ...documents];
}

/**
 * The engine cannot import dynamic resources, and would fail later with words that help nobody; and it passes over
 * `replaceOnChanges` without a word, because nobody tells it which properties of a dynamic resource change, and over
 * a provider of another kind than its own.
 */
export function refuseDynamicOptions(
  kind: ResourceKind,
  calledAs: string,
  opts: pulumi.CustomResourceOptions | undefined,
): void {
  if (opts?.import !== undefined) {
    const type = kind.token.replace(":", ".");
    throw new Error(
      `${calledAs}: the option import is not possible here; to manage what exists already write ` +
        `adopt: true, to read it only use ${type}.get(name, id); with the plugin (npx quarterdeck init) it is`,
    );
  }
  if ((opts?.replaceOnChanges ?? []).length > 0) {
    throw new Error(
      `${calledAs}: the option replaceOnChanges is not possible here, because the engine would ignore it; ` +
        "to replace the object once, set deleteBeforeReplace: true and run pulumi up --replace with its URN; the plugin (npx quarterdeck init) supports the option",
    );
  }
  if (isProvider(opts?.provider)) refuseWithoutPlugin(`${calledAs}: the option provider`);
}
