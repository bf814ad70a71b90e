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
import type { Keeping } from "./process";

type Shared = ReturnType<Host["shared"]>;
type Bag = Readonly<Record<string, unknown>>;

/** The result of a bridge's call, or the content of its error. */
interface Handed {
  readonly id?: string;
  readonly outputs?: Bag;
  readonly inputs?: Bag;
}

/** The calls of a bridge that the engine makes. */
interface Bridge {
  create(inputs: Values): Promise<Handed>;
  read(id: string, outputs?: Bag, inputs?: Values): Promise<Handed>;
  update(id: string, outputs: Bag, oldInputs: Values, inputs: Values): Promise<Handed>;
  delete(id: string, outputs: Bag, inputs: Values): Promise<void>;
  /** The part of the error that an engine stores for a partially created resource. */
  halfMadeIn(error: unknown): Handed | undefined;
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
    this.take(await this.kept(this.bridge(this).create(inputs), inputs), inputs);
  }

  override async update(inputs: Values): Promise<void> {
    const { id, inputs: before } = this;
    const call = this.bridge(this).update(id, this.engines, before, inputs);
    this.take(await this.kept(call, inputs), inputs);
  }

  override async refresh(shared?: Shared): Promise<boolean> {
    this.shared = shared;
    const found = await told(this.bridge(this).read(this.id, this.engines, this.inputs));
    if (!found.id) return false;
    this.take(found, found.inputs ? values(found.inputs) : this.inputs);
    return true;
  }

  override async get(id: string): Promise<Values> {
    const found = await told(this.bridge(this).read(id));
    this.take(found, values(found.inputs ?? {}));
    return this.inputs;
  }

  override delete(): Promise<void> {
    return told(this.bridge(this).delete(this.id, this.engines, this.inputs));
  }

  private take({ id = this.id, outputs = {} }: Handed, inputs: Values, isHalfDone = false): void {
    this.id = id;
    this.engines = plain(outputs);
    this.outputs = { ...values(withRecordsRead(this.definition, this.engines)) };
    this.inputs = inputs;
    this.isHalfDone = isHalfDone;
  }

  private async kept(call: Promise<Handed>, inputs: Values): Promise<Handed> {
    return told(call, (error) => {
      const made = this.bridge(this).halfMadeIn(error);
      if (made) this.take(made, inputs, true);
    });
  }
}

/** Rejects with the message that the engine prints. */
async function told<T>(call: Promise<T>, keep: (error: unknown) => void = () => undefined): Promise<T> {
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
    halfMadeIn: (error) => {
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
    halfMadeIn: (error) => {
      const { id, properties } = Object(error);
      return properties && { id, outputs: properties };
    },
  };
}

/** Creates a resource that uses one of the bridges. */
export const bridges: Readonly<Record<"dynamic" | "plugin", Keeping>> = {
  dynamic: (world, definition) => new Bridged(world, definition, byDynamicHost),
  plugin: (world, definition) => new Bridged(world, definition, byPlugin),
};
