import type { Host } from "../../provider/core/bridge/call";
import { dynamicHandler } from "../../provider/core/bridge/dynamic/dynamicHandler";
import { withRecordsRead } from "../../provider/core/bridge/records";
import type { Values } from "../../provider/core/language/object";
import type { AnyDefinition } from "../../provider/core/language/resource";
import type { Json } from "../../provider/core/value/json";
import { plain } from "../core/bridge/engines";
import { hostOf } from "../core/bridge/host";
import { callsIn } from "../core/bridge/plugin/inProcess";
import { Resource } from "../steps/resource";
import type { World } from "../steps/world";
import type { ResourceFactory } from "./process";

type Shared = ReturnType<Host["shared"]>;
type Bag = Readonly<Record<string, unknown>>;

/** The result of a bridge's call, or the content of its error. */
interface BridgeResult {
  readonly id?: string;
  readonly outputs?: Bag;
  readonly inputs?: Bag;
}

/** The calls of a bridge that the engine makes. */
interface Bridge {
  create(inputs: Values): Promise<BridgeResult>;
  read(id: string, outputs?: Bag, inputs?: Values): Promise<BridgeResult>;
  update(id: string, outputs: Bag, oldInputs: Values, inputs: Values): Promise<BridgeResult>;
  delete(id: string, outputs: Bag, inputs: Values): Promise<void>;
  /** The part of the error that an engine stores for a partially created resource. */
  partialResult(error: unknown): BridgeResult | undefined;
}

const URN = "urn:pulumi:dev::platform::quarterdeck:x:Y::it";
const PROVIDER = { __provider: "text" };

/** A resource that an engine manages through one of the bridges. Its state is the result of the last call. */
class Bridged extends Resource {
  constructor(
    world: World,
    definition: AnyDefinition,
    private readonly bridge: (own: Bridged) => Bridge,
  ) {
    super(world, definition);
  }

  /** The outputs as the engine stores them. */
  private engines: Bag = {};
  /** The reads that the refresh of several resources shares; undefined if the refresh reads separately. */
  shared: Shared | undefined;

  override async create(inputs: Values): Promise<void> {
    this.store(await this.storePartial(this.bridge(this).create(inputs), inputs), inputs);
  }

  override async update(inputs: Values): Promise<void> {
    const { id, inputs: before } = this;
    const call = this.bridge(this).update(id, this.engines, before, inputs);
    this.store(await this.storePartial(call, inputs), inputs);
  }

  override async refresh(shared?: Shared): Promise<boolean> {
    this.shared = shared;
    const found = await rejectWithMessage(this.bridge(this).read(this.id, this.engines, this.inputs));
    if (!found.id) return false;
    this.store(found, found.inputs ? values(found.inputs) : this.inputs);
    return true;
  }

  override async get(id: string): Promise<Values> {
    const found = await rejectWithMessage(this.bridge(this).read(id));
    this.store(found, values(found.inputs ?? {}));
    return this.inputs;
  }

  override delete(): Promise<void> {
    return rejectWithMessage(this.bridge(this).delete(this.id, this.engines, this.inputs));
  }

  private store({ id = this.id, outputs = {} }: BridgeResult, inputs: Values, isHalfDone = false): void {
    this.id = id;
    this.engines = plain(outputs);
    this.outputs = { ...values(withRecordsRead(this.definition, this.engines)) };
    this.inputs = inputs;
    this.isHalfDone = isHalfDone;
  }

  private async storePartial(call: Promise<BridgeResult>, inputs: Values): Promise<BridgeResult> {
    return rejectWithMessage(call, (error) => {
      const made = this.bridge(this).partialResult(error);
      if (made) this.store(made, inputs, true);
    });
  }
}

/** Rejects with the message that the engine prints. */
async function rejectWithMessage<T>(
  call: Promise<T>,
  keep: (error: unknown) => void = () => undefined,
): Promise<T> {
  return call.catch((error: unknown) => {
    keep(error);
    throw new Error(String(Object(error).message));
  });
}

/** These values were JSON before the bridge converted them. */
const values = (bag: Bag) => plain(bag) as Record<string, Json>;

function hostFor({ world, adoptsIdentical, shared }: Bridged): Host {
  const host = hostOf(() => world.connection, world.logged);
  return { ...host, adoptsIdentical, ...(shared && { shared: () => shared }) };
}

function byPlugin(own: Bridged): Bridge {
  const engine = callsIn(own.definition, {
    host: hostFor(own),
    signal: own.signal ?? new AbortController().signal,
  });
  return {
    create: (inputs) => engine.create(URN, inputs),
    read: (id, outputs, inputs) => engine.read(URN, id, outputs && { outputs, inputs: inputs ?? {} }),
    update: (id, outputs, inputs, news) => engine.update(URN, id, { outputs, inputs }, news),
    delete: (id, outputs, inputs) => engine.delete(URN, id, { outputs, inputs }),
    partialResult: (error) => {
      const { halfMade } = Object(error);
      return halfMade && { id: halfMade.id, outputs: halfMade.properties };
    },
  };
}

function byDynamicHost(own: Bridged): Bridge {
  const handler = dynamicHandler(own.definition, () => hostFor(own));
  const handed = (bag: Bag) => ({ ...bag, ...PROVIDER });
  return {
    create: async (inputs) => {
      const { id, outs } = await handler.create(handed(inputs));
      return { id, outputs: outs };
    },
    read: async (id, outputs = {}) => {
      const { id: found, props, inputs } = await handler.read(id, handed(outputs));
      return { id: found, ...(props && { outputs: props }), ...(inputs && { inputs }) };
    },
    update: async (id, outputs, _, news) => {
      const { outs } = await handler.update(id, handed(outputs), handed(news));
      return { id, outputs: outs };
    },
    delete: (id, outputs) => handler.delete(id, handed(outputs)),
    partialResult: (error) => {
      const { id, properties } = Object(error);
      return properties && { id, outputs: properties };
    },
  };
}

/** Creates a resource that uses one of the bridges. */
export const bridges: Readonly<Record<"dynamic" | "plugin", ResourceFactory>> = {
  dynamic: (world, definition) => new Bridged(world, definition, byDynamicHost),
  plugin: (world, definition) => new Bridged(world, definition, byPlugin),
};
