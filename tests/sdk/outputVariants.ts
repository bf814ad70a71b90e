import * as pulumi from "@pulumi/pulumi";
import { ReadResourceResponse, RegisterResourceResponse } from "@pulumi/pulumi/proto/resource_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import type { ResourceKind } from "../../sdk/runtime/kind";
import { giveOutputs } from "../../sdk/runtime/outputs";
import { resourceRegistration } from "../../sdk/runtime/registration";

export const kind: ResourceKind = {
  token: "harbour:Quay",
  inputs: ["name", "plan", "key", "tags"],
  required: [],
  outputs: ["quayId", "depth"],
  secrets: ["key"],
  secretMembers: { plan: ["Combination"] },
  idSegments: { quayId: 1 },
};

/** The response of the engine to a registration or read. */
export interface EngineResponse {
  readonly object: Record<string, unknown>;
  readonly dependencies: Readonly<Record<string, readonly string[]>>;
  /** The engine skipped it. */
  readonly unknown: boolean;
  readonly refusal?: "error" | "unavailable" | "failed";
}

/** A resource whose outputs are created from the response when they are read. */
export class Light extends pulumi.CustomResource {
  constructor(name: string, args: object, opts?: pulumi.CustomResourceOptions) {
    const registration = resourceRegistration(kind, name, args, opts);
    super(...registration);
    giveOutputs(this, kind, registration);
  }
}

/** The same resource with conventional outputs, as generated classes have them. */
export class Conventional extends pulumi.CustomResource {
  constructor(name: string, args: object, opts?: pulumi.CustomResourceOptions) {
    const [type, , properties, options] = resourceRegistration(kind, name, args, opts);
    const places = Object.fromEntries([...kind.inputs, ...kind.outputs].map((place) => [place, undefined]));
    super(type, name, { ...places, ...properties }, options);
  }
}

type Callback = (error: unknown, response?: unknown) => void;

/** Mocks an engine that gives this response to every registration and read. */
export async function mockEngine(given: EngineResponse, preview: boolean): Promise<void> {
  const nothing = { call: () => ({}), newResource: () => ({ id: "", state: {} }) };
  await pulumi.runtime.setMocks(nothing, "project", "stack", preview);
  const monitor = pulumi.runtime.getMonitor() as unknown as Record<string, unknown>;
  monitor.registerResource = (request: { getName(): string }, callback: Callback) => {
    const response = new RegisterResourceResponse();
    response.setUrn(urnOf(request));
    response.setId("harbour/7");
    response.setObject(Struct.fromJavaScript(given.object as never));
    response.setUnknown(given.unknown);
    response.setResult(given.refusal === "failed" ? 1 : 0);
    for (const [property, urns] of Object.entries(given.dependencies)) {
      const list = new RegisterResourceResponse.PropertyDependencies();
      list.setUrnsList([...urns]);
      response.getPropertydependenciesMap().set(property, list);
    }
    callback(refusalOf(given), response);
  };
  monitor.registerResourceOutputs = (_: unknown, callback: Callback) => callback(null, {});
  monitor.readResource = (request: { getName(): string }, callback: Callback) => {
    const response = new ReadResourceResponse();
    response.setUrn(urnOf(request));
    response.setProperties(Struct.fromJavaScript(given.object as never));
    response.setUnknown(given.unknown);
    callback(refusalOf(given), response);
  };
}

const urnOf = (request: { getName(): string }) =>
  `urn:pulumi:stack::project::harbour:Quay::${request.getName()}`;

function refusalOf({ refusal }: EngineResponse): unknown {
  if (refusal === "error") return Object.assign(new Error("the quay is closed"), { code: 2 });
  return null;
}

/** The members of an output that the SDK itself uses. */
interface OutputMembers {
  promise(withUnknowns?: boolean): Promise<unknown>;
  readonly isKnown: Promise<boolean>;
  readonly isSecret: Promise<boolean>;
  resources(): Set<unknown>;
  allResources(): Promise<Set<{ urn: OutputMembers }>>;
}

/** Describes an output: its values, or the reasons of its rejections. */
export async function describeOutput(resource: object, name: string) {
  const output = Reflect.get(resource, name) as OutputMembers;
  const results = await Promise.allSettled([
    output.promise(true),
    output.promise(),
    output.isKnown,
    output.isSecret,
    urnsIn(output, resource),
  ]);
  return {
    descriptor: { ...Object.getOwnPropertyDescriptor(resource, name), value: "an output" },
    isOutput: pulumi.Output.isInstance(output),
    resources: [...output.resources()].map((one) => one === resource),
    members: Reflect.ownKeys(output),
    inherits: Object.getPrototypeOf(output) === Reflect.get(pulumi.Output, "prototype"),
    results: results.map((one) =>
      one.status === "fulfilled" ? { value: one.value } : { reason: String(one.reason) },
    ),
  };
}

async function urnsIn(output: OutputMembers, resource: object): Promise<unknown[]> {
  const all = [...(await output.allResources())];
  const urns = await Promise.all(all.map((one) => (one === resource ? "itself" : one.urn.promise())));
  return urns.map(String).sort();
}
