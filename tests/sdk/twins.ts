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

/** What an engine says of one registration or read. */
export interface Said {
  readonly object: Record<string, unknown>;
  readonly dependencies: Readonly<Record<string, readonly string[]>>;
  /** The engine skipped it. */
  readonly unknown: boolean;
  readonly refusal?: "error" | "unavailable" | "failed";
}

/** A resource whose outputs are made of the answer when they are read. */
export class Light extends pulumi.CustomResource {
  constructor(name: string, args: object, opts?: pulumi.CustomResourceOptions) {
    const registration = resourceRegistration(kind, name, args, opts);
    super(...registration);
    giveOutputs(this, kind, registration);
  }
}

/** The same with a place in the SDK for every output, as generated classes have them. */
export class Conventional extends pulumi.CustomResource {
  constructor(name: string, args: object, opts?: pulumi.CustomResourceOptions) {
    const [type, , properties, options] = resourceRegistration(kind, name, args, opts);
    const places = Object.fromEntries([...kind.inputs, ...kind.outputs].map((place) => [place, undefined]));
    super(type, name, { ...places, ...properties }, options);
  }
}

type Callback = (error: unknown, response?: unknown) => void;

/** Meets programs with an engine that says this of everything. */
export async function engineSaying(said: Said, preview: boolean): Promise<void> {
  const nothing = { call: () => ({}), newResource: () => ({ id: "", state: {} }) };
  await pulumi.runtime.setMocks(nothing, "project", "stack", preview);
  const monitor = pulumi.runtime.getMonitor() as unknown as Record<string, unknown>;
  monitor.registerResource = (request: { getName(): string }, callback: Callback) => {
    const response = new RegisterResourceResponse();
    response.setUrn(urnOf(request));
    response.setId("harbour/7");
    response.setObject(Struct.fromJavaScript(said.object as never));
    response.setUnknown(said.unknown);
    response.setResult(said.refusal === "failed" ? 1 : 0);
    for (const [property, urns] of Object.entries(said.dependencies)) {
      const list = new RegisterResourceResponse.PropertyDependencies();
      list.setUrnsList([...urns]);
      response.getPropertydependenciesMap().set(property, list);
    }
    callback(refusalOf(said), response);
  };
  monitor.registerResourceOutputs = (_: unknown, callback: Callback) => callback(null, {});
  monitor.readResource = (request: { getName(): string }, callback: Callback) => {
    const response = new ReadResourceResponse();
    response.setUrn(urnOf(request));
    response.setProperties(Struct.fromJavaScript(said.object as never));
    response.setUnknown(said.unknown);
    callback(refusalOf(said), response);
  };
}

const urnOf = (request: { getName(): string }) =>
  `urn:pulumi:stack::project::harbour:Quay::${request.getName()}`;

function refusalOf({ refusal }: Said): unknown {
  if (refusal === "error") return Object.assign(new Error("the quay is closed"), { code: 2 });
  return null;
}

/** All that can be asked of an output, by the members that the SDK itself asks. */
interface Inside {
  promise(withUnknowns?: boolean): Promise<unknown>;
  readonly isKnown: Promise<boolean>;
  readonly isSecret: Promise<boolean>;
  resources(): Set<unknown>;
  allResources(): Promise<Set<{ urn: Inside }>>;
}

/** What an output says, or why it says nothing. */
export async function tellingOf(resource: object, name: string) {
  const output = Reflect.get(resource, name) as Inside;
  const said = await Promise.allSettled([
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
    said: said.map((one) =>
      one.status === "fulfilled" ? { value: one.value } : { reason: String(one.reason) },
    ),
  };
}

async function urnsIn(output: Inside, resource: object): Promise<unknown[]> {
  const all = [...(await output.allResources())];
  const urns = await Promise.all(all.map((one) => (one === resource ? "itself" : one.urn.promise())));
  return urns.map(String).sort();
}
