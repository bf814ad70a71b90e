import * as pulumi from "@pulumi/pulumi";
import { MockMonitor } from "@pulumi/pulumi/runtime/mocks";

/** One resource as the program handed it to the engine. */
export interface Registered {
  readonly type: string;
  readonly name: string;
  readonly id: string | undefined;
  /** What is secret stands here as {@link SECRET} and its value. */
  readonly inputs: Readonly<Record<string, unknown>>;
  /** The explicit provider that it was registered with. */
  readonly provider?: string;
}

/** The engine that a program meets. */
interface Surroundings {
  readonly preview?: boolean;
  /** What every object's outputs are beside its inputs. */
  readonly answers?: Readonly<Record<string, unknown>>;
  /** The ids of objects that are there already. */
  readonly ids?: (name: string) => string;
  /** What functions answer. */
  readonly call?: (args: pulumi.runtime.MockCallArgs) => Record<string, unknown>;
}

/** A secret as it travels to the engine, in a form that tests can read. */
export const secretly = (value: unknown) => ({ secret: value });

/** Runs a program against the SDK's own mocks, and gives every resource that it registered. */
export async function registered(program: () => unknown, options: Surroundings = {}): Promise<Registered[]> {
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
        // What a preview would make has no id yet.
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

/** The same monitor, no longer known as one of mocks: functions then ask the provider, unless the test says what they answer. */
function withoutMockedCalls({ call }: Surroundings): void {
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
  const [isSecret, isKnown] = await Promise.all([pulumi.isSecret(output), knowing(output)]);
  const value = isKnown ? await valueIn(output) : undefined;
  return { value, isSecret, isKnown };
}

function valueIn<T>(output: pulumi.Output<T>): Promise<T> {
  return new Promise((resolve) => output.apply(resolve));
}

async function knowing(output: unknown): Promise<boolean> {
  // Every output carries this promise; the SDK's types keep it to themselves.
  return (output as { isKnown: Promise<boolean> }).isKnown;
}
