import * as pulumi from "@pulumi/pulumi";
import { refuseWithoutPlugin } from "./bridge";
import { holdsSecret, protect } from "./documents";
import { isProvider, type ResourceKind } from "./kind";
import { providerText } from "./providerText";
import { secretPaths } from "./secretPaths";
import { withSecrets } from "./secrets";
import { withCustomTimeouts } from "./timeouts";

/** The properties for a dynamic provider: the program's inputs, and the text that makes the host load this package. */
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
 * Metadata for the provider that the engine does not pass to a dynamic provider: the paths that the program marked secret,
 * the paths under `ignoreChanges`, and whether this is a preview, if the type or an adoption needs that. Undefined if all of
 * these are empty.
 */
async function asideOf(
  { isForetold = false }: ResourceKind,
  written: { readonly adopt?: unknown },
  opts: pulumi.CustomResourceOptions | undefined,
) {
  const isRead = isForetold || (written.adopt !== undefined && written.adopt !== false);
  const isPreview = isRead && pulumi.runtime.isDryRun();
  const secrets = await secretPaths(written);
  const ignored = opts?.ignoreChanges ?? [];
  if (secrets === undefined && ignored.length === 0 && !isPreview) return undefined;
  return {
    ...(secrets && { secrets }),
    ...(ignored.length > 0 && { ignored }),
    ...(isPreview && { preview: true }),
  };
}

/** The outputs that the engine must encrypt, because a dynamic provider cannot mark them itself. */
export function secretOutputs(
  kind: ResourceKind,
  written: Readonly<Record<string, unknown>>,
  opts: pulumi.CustomResourceOptions | undefined,
): string[] {
  const documents = Object.entries(kind.secretMembers).flatMap(([property, names]) =>
    // A document that is read by its ID is not known yet, and may contain a secret.
    opts?.id !== undefined || holdsSecret(written[property], names) ? [property] : [],
  );
  return [...kind.secrets, ...documents];
}

/**
 * Refuses options that dynamic providers do not support. The engine cannot import dynamic resources, and would fail later
 * with a misleading message. It silently ignores `replaceOnChanges`, because a dynamic provider does not report which
 * properties change. It also ignores an explicit provider of a different kind.
 */
export function refuseDynamicOptions(
  kind: ResourceKind,
  calledAs: string,
  opts: pulumi.CustomResourceOptions | undefined,
): void {
  if (opts?.import !== undefined) {
    const type = kind.token.replace(":", ".");
    throw new Error(
      `${calledAs}: dynamic providers do not support the option import: to manage an existing object, set adopt: true; ` +
        `to only read it, call ${type}.get(name, id); or use the plugin (npx quarterdeck init), which supports the option`,
    );
  }
  if ((opts?.replaceOnChanges ?? []).length > 0) {
    throw new Error(
      `${calledAs}: dynamic providers do not support the option replaceOnChanges, which the engine would ignore: ` +
        "to replace the object once, set deleteBeforeReplace: true and run pulumi up --replace with the URN of the resource; or use the plugin (npx quarterdeck init), which supports the option",
    );
  }
  if (isProvider(opts?.provider)) refuseWithoutPlugin(`${calledAs}: the option provider`);
}
