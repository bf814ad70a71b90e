import * as pulumi from "@pulumi/pulumi";
import { knowAddress } from "./addressOutputs";
import { type AwaitedAnswer, answerTo } from "./answers";
import { deferredOutput } from "./deferredOutput";
import type { ResourceKind } from "./kind";
import type { Registration } from "./registration";

/**
 * Defines the outputs that Pulumi's SDK did not create: each is created from the engine's response when it is first read. A
 * program reads few outputs, and each output that the SDK creates costs about twenty promises.
 */
export function giveOutputs(
  resource: pulumi.CustomResource,
  kind: ResourceKind,
  [, , , options]: Registration,
): void {
  const awaited = answerTo(options.additionalSecretOutputs);
  if (awaited !== undefined) {
    const isPreview = pulumi.runtime.isDryRun();
    for (const name of awaited.properties) {
      const output = deferredOutput(() => outputOf(resource, name, awaited, isPreview));
      Reflect.set(resource, name, output);
    }
  }
  knowAddress(resource, kind);
}

/** The parts of an output for a property that the program did not write. */
interface Told {
  readonly value: unknown;
  readonly isKnown: boolean;
  readonly isSecret: boolean;
  readonly dependencies: readonly pulumi.Resource[];
}

/** The constructor of outputs, which the SDK's types do not declare. */
const OutputOf = pulumi.Output as unknown as new (
  resources: pulumi.Resource,
  value: Promise<unknown>,
  isKnown: Promise<boolean>,
  isSecret: Promise<boolean>,
  dependencies: Promise<readonly pulumi.Resource[]>,
) => pulumi.Output<unknown>;

function outputOf(
  resource: pulumi.CustomResource,
  name: string,
  awaited: AwaitedAnswer,
  isPreview: boolean,
): pulumi.Output<unknown> {
  // The URN's promise settles with the response. Every output has this promise; the types do not declare it.
  const { urn } = resource as unknown as { urn: { promise(): Promise<string> } };
  const told = urn.promise().then(() => resultFor(name, awaited, isPreview));
  return new OutputOf(
    resource,
    told.then(({ value }) => value),
    told.then(({ isKnown }) => isKnown),
    told.then(({ isSecret }) => isSecret),
    told.then(({ dependencies }) => dependencies),
  );
}

function resultFor(name: string, { answer }: AwaitedAnswer, isPreview: boolean): Told {
  if (answer === undefined) {
    throw new Error(
      `The engine's answer did not reach ${name}: this version of @pulumi/pulumi is too new for pulumi-quarterdeck`,
    );
  }
  const isSkipped = answer.isSkipped && !isPreview;
  const answered = answer.of(name);
  if (answered === undefined) {
    return { value: undefined, isKnown: !isPreview && !isSkipped, isSecret: false, dependencies: [] };
  }
  const read: unknown = pulumi.runtime.deserializeProperty(answered.value, isSkipped || isPreview);
  return {
    value: pulumi.runtime.unwrapRpcSecret(read),
    isKnown: true,
    isSecret: pulumi.runtime.isRpcSecret(read),
    dependencies: answered.dependencies.map((urn) => new pulumi.DependencyResource(urn)),
  };
}
