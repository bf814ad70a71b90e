import type { Host } from "../../../provider/core/bridge/call";
import { dynamicHandler } from "../../../provider/core/bridge/dynamic/dynamicHandler";
import { withRecordsRead } from "../../../provider/core/bridge/records";
import type { AnyDefinition } from "../../../provider/core/language/resource";
import type { World } from "../../steps/world";
import { hostOf } from "./host";
import { callsIn } from "./plugin/inProcess";

type Bag = Readonly<Record<string, unknown>>;

/** What an engine stores of a resource, decrypted. */
export interface StoredResource {
  readonly id: string;
  readonly inputs: Bag;
  readonly outputs: Bag;
}

/** One resource on one of the bridges, stored as an engine stores it, with its secrets in plain text. */
export interface Engine {
  readonly state: StoredResource | undefined;
  /** Every message and error so far. */
  readonly messages: string[];
  /** The failures of a check, and the inputs as a state stores them. */
  check(program: Bag): Promise<{ readonly failures: readonly string[]; readonly inputs: Bag }>;
  /** Whether an update with this program would change anything. */
  changes(program: Bag): Promise<boolean>;
  /** @returns whether anything was created or updated */
  up(program: Bag): Promise<boolean>;
  /** @returns whether the object still exists */
  refresh(): Promise<boolean>;
  destroy(): Promise<void>;
  /** A diff without a check, as a refresh requests it. */
  compare(): Promise<void>;
  /** The decrypted state with unpacked records, as text. */
  readable(): string;
}

const SIGNATURE = "4dabf18193072939515e22adb298388d";

/** Values without the secret marks. */
export function plain(bag: Bag): Record<string, unknown> {
  return JSON.parse(JSON.stringify(bag), (_, value) =>
    value !== null && typeof value === "object" && SIGNATURE in value ? value.value : value,
  );
}

const PROVIDER = { __provider: "text" };

abstract class Kind {
  state: StoredResource | undefined;
  readonly messages: string[];
  protected readonly urn: string;
  private own: Host | undefined;

  /** @param shared the provider's process, if several resources of one command share one */
  constructor(
    protected readonly definition: AnyDefinition,
    protected readonly world: World,
    private readonly shared?: Host,
    name = "it",
  ) {
    this.messages = world.logged;
    this.urn = `urn:pulumi:dev::platform::quarterdeck:x:Y::${name}`;
  }

  protected get host(): Host {
    this.own ??= hostOf(() => this.world.connection, this.world.logged);
    return this.shared ?? this.own;
  }

  /** A destroy is a separate command with its own process. */
  protected endCommand(): void {
    this.own = undefined;
  }

  protected get stored(): StoredResource {
    if (this.state === undefined) throw new Error("nothing is in the state");
    return this.state;
  }

  readable(): string {
    const { inputs, outputs } = this.stored;
    return JSON.stringify([inputs, withRecordsRead(this.definition, outputs)]);
  }

  /** Stores a partially created resource, in the form in which either bridge reports it. */
  private storePartiallyCreated(error: unknown): void {
    const { id, properties, halfMade } = Object(error);
    const made = halfMade ?? (properties && { id, properties, inputs: this.state?.inputs ?? {} });
    if (made) this.state = { id: made.id, inputs: plain(made.inputs), outputs: plain(made.properties) };
  }

  protected async recordErrors<T>(call: Promise<T>): Promise<T> {
    return call.catch((error: unknown) => {
      this.storePartiallyCreated(error);
      const { message } = Object(error);
      this.messages.push(JSON.stringify(error), String(message), String(error));
      // The bridges remove the stack from their errors.
      throw new Error(String(message));
    });
  }
}

class Dynamic extends Kind implements Engine {
  private readonly handler = dynamicHandler(this.definition, () => this.host);

  async check(program: Bag) {
    const olds = this.state ? { ...this.state.inputs, ...PROVIDER } : {};
    const { inputs, failures } = await this.recordErrors(
      this.handler.check(olds, { ...program, ...PROVIDER }),
    );
    return { inputs: plain(inputs), failures: failures.map(({ reason }) => reason) };
  }

  async changes(program: Bag): Promise<boolean> {
    const { inputs } = await this.check(program);
    const { id, outputs } = this.stored;
    const found = await this.recordErrors(
      this.handler.diff(id, { ...outputs, ...PROVIDER }, { ...inputs, ...PROVIDER }),
    );
    return found.changes;
  }

  async up(program: Bag): Promise<boolean> {
    const { inputs, failures } = await this.check(program);
    if (failures.length > 0) throw new Error(failures.join("\n"));
    const news = { ...inputs, ...PROVIDER };
    if (this.state === undefined) {
      const { id, outs } = await this.recordErrors(this.handler.create(news));
      this.state = { id, inputs, outputs: plain(outs) };
      return true;
    }
    const { id, outputs } = this.stored;
    const olds = { ...outputs, ...PROVIDER };
    const { changes } = await this.recordErrors(this.handler.diff(id, olds, news));
    const outs = changes ? (await this.recordErrors(this.handler.update(id, olds, news))).outs : outputs;
    this.state = { id, inputs, outputs: plain(outs) };
    return changes;
  }

  async refresh(): Promise<boolean> {
    const { id, inputs, outputs } = this.stored;
    const found = await this.recordErrors(this.handler.read(id, { ...outputs, ...PROVIDER }));
    if (found.id === "") return false;
    this.state = { id, inputs: plain(found.inputs ?? inputs), outputs: plain(found.props ?? {}) };
    return true;
  }

  async destroy(): Promise<void> {
    this.endCommand();
    const { id, outputs } = this.stored;
    await this.recordErrors(this.handler.delete(id, { ...outputs, ...PROVIDER }));
  }

  async compare(): Promise<void> {
    const { id, inputs, outputs } = this.stored;
    await this.recordErrors(this.handler.diff(id, { ...outputs, ...PROVIDER }, { ...inputs, ...PROVIDER }));
  }
}

class Plugin extends Kind implements Engine {
  private readonly signal = new AbortController().signal;

  private get calls() {
    const { definition, host, signal, urn } = this;
    return callsIn(definition, { host, signal, behalf: { object: urn } });
  }

  async check(program: Bag) {
    const { inputs, failures } = await this.recordErrors(
      this.calls.check(this.urn, this.state?.inputs ?? {}, program),
    );
    return { inputs: plain(inputs), failures: failures.map(([, reason]) => reason) };
  }

  async changes(program: Bag): Promise<boolean> {
    const { inputs } = await this.check(program);
    const { id, ...state } = this.stored;
    const { details } = await this.recordErrors(this.calls.diff(this.urn, id, state, inputs));
    return Object.keys(details).length > 0;
  }

  async up(program: Bag): Promise<boolean> {
    const { inputs, failures } = await this.check(program);
    if (failures.length > 0) throw new Error(failures.join("\n"));
    await this.recordErrors(this.preview(inputs));
    if (this.state === undefined) {
      const { id, outputs } = await this.recordErrors(this.calls.create(this.urn, inputs));
      this.state = { id, inputs, outputs: plain(outputs) };
      return true;
    }
    const { id, ...state } = this.stored;
    const { details } = await this.recordErrors(this.calls.diff(this.urn, id, state, inputs));
    const isOther = Object.keys(details).length > 0;
    const { outputs } = isOther
      ? await this.recordErrors(this.calls.update(this.urn, id, state, inputs))
      : state;
    this.state = { id, inputs, outputs: plain(outputs) };
    return isOther;
  }

  private async preview(inputs: Bag): Promise<void> {
    const { outputs } =
      this.state === undefined
        ? await this.calls.create(this.urn, inputs, { preview: true })
        : await this.calls.update(this.urn, this.state.id, this.state, inputs, { preview: true });
    this.messages.push(JSON.stringify(outputs));
  }

  async refresh(): Promise<boolean> {
    const { id, ...state } = this.stored;
    const found = await this.recordErrors(this.calls.read(this.urn, id, state));
    if (found.id === "") return false;
    this.state = { id, inputs: plain(found.inputs), outputs: plain(found.outputs) };
    return true;
  }

  async destroy(): Promise<void> {
    this.endCommand();
    const { id, ...state } = this.stored;
    await this.recordErrors(this.calls.delete(this.urn, id, state));
  }

  async compare(): Promise<void> {
    const { id, ...state } = this.stored;
    await this.recordErrors(this.calls.diff(this.urn, id, state, state.inputs));
  }
}

/** The test engine of each bridge. */
export const engines = { dynamic: Dynamic, plugin: Plugin } as const;
