import * as pulumi from "@pulumi/pulumi";
import { MockMonitor } from "@pulumi/pulumi/runtime/mocks";

/** A resource as the program registered it. */
export interface Registered {
  readonly type: string;
  readonly name: string;
  readonly id: string | undefined;
  /** Secret inputs appear as {@link secretly} returns them. */
  readonly inputs: Readonly<Record<string, unknown>>;
  /** The explicit provider that it was registered with. */
  readonly provider?: string;
}

/** The behavior of the mocked engine. */
interface EngineOptions {
  readonly preview?: boolean;
  /** The outputs of every object, in addition to its inputs. */
  readonly answers?: Readonly<Record<string, unknown>>;
  /** The IDs of existing objects. */
  readonly ids?: (name: string) => string;
  /** The results of functions. */
  readonly call?: (args: pulumi.runtime.MockCallArgs) => Record<string, unknown>;
}

/** A secret as it is sent to the engine, in a form that tests can read. */
export const secretly = (value: unknown) => ({ secret: value });

/** Runs a program with the mocks of the Pulumi SDK; returns every resource that it registered. */
export async function registered(program: () => unknown, options: EngineOptions = {}): Promise<Registered[]> {
  const seen: Registered[] = [];
  await pulumi.runtime.setMocks(
    {
      call: options.call ?? (() => ({})),
      newResource: ({ type, name, id, inputs, provider }) => {
        seen.push({
          type,
          name,
          id: id === "" ? undefined : id,
          inputs: readable(inputs),
          ...(provider && { provider }),
        });
        // A resource that is not created yet has no ID in a preview.
        const made = options.ids?.(name) ?? (options.preview ? undefined : `${name}-id`);
        return { id: id || made, state: { ...inputs, ...options.answers } };
      },
    },
    "project",
    "stack",
    options.preview ?? false,
  );
  withoutMockedCalls(options);
  await program();
  await pulumi.runtime.disconnect();
  return seen;
}

/** Hides that the monitor is a mock, so that functions call the provider, unless the test defines their results. */
function withoutMockedCalls({ call }: EngineOptions): void {
  const monitor = pulumi.runtime.getMonitor();
  if (call !== undefined || monitor === undefined) return;
  const methods = Object.getOwnPropertyDescriptors(MockMonitor.prototype);
  Object.setPrototypeOf(monitor, Object.create(Object.prototype, methods));
}

function readable(inputs: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(inputs).map(([name, value]) => [
      name,
      pulumi.runtime.isRpcSecret(value) ? secretly(pulumi.runtime.unwrapRpcSecret(value)) : value,
    ]),
  );
}

/** The value of an output, whether it is secret, and whether it is known. */
export async function settled<T>(output: pulumi.Output<T>) {
  const [isSecret, isKnown] = await Promise.all([pulumi.isSecret(output), isKnownOutput(output)]);
  const value = isKnown ? await valueIn(output) : undefined;
  return { value, isSecret, isKnown };
}

function valueIn<T>(output: pulumi.Output<T>): Promise<T> {
  return new Promise((resolve) => output.apply(resolve));
}

async function isKnownOutput(output: unknown): Promise<boolean> {
  // Every output has this promise, but the types of the SDK do not declare it.
  return (output as { isKnown: Promise<boolean> }).isKnown;
}
