import { dynamicHandler } from "../../../provider/core/bridge/dynamic/dynamicHandler";
import type { AnyDefinition } from "../../../provider/core/language/resource";
import { formatPath, type Path } from "../../../provider/core/value/path";
import type { World } from "../../steps/world";
import { plain } from "./engines";
import { hostOf } from "./host";
import { type Bag, type ProviderCalls, type State, secret } from "./plugin/calls";
import { callsOf, MARK } from "./plugin/plainText";

/** What an engine stores of a resource, with secret marks. */
export interface Stored {
  readonly id: string;
  readonly state: State;
}

/** The answers of one bridge as the engine receives them, with secret marks. */
export interface RawBridge {
  create(program: Bag): Promise<Stored>;
  refresh(stored: Stored): Promise<Stored>;
  update(stored: Stored, program: Bag, ignored?: string[]): Promise<Stored>;
  /** The complete answer of a diff as text, and whether it found a change. */
  diff(stored: Stored, program: Bag, ignored?: string[]): Promise<{ isChange: boolean; text: string }>;
}

const URN = "urn:pulumi:dev::platform::quarterdeck:x:Y::it";

/** The paths that a program marks as secret. */
export function marksIn(value: unknown, path: Path = []): string[] {
  if (typeof value !== "object" || value === null) return [];
  if (MARK in value) return [formatPath(path)];
  if (Array.isArray(value)) return value.flatMap((part, index) => marksIn(part, [...path, index]));
  return Object.entries(value).flatMap(([name, part]) => marksIn(part, [...path, name]));
}

class Plugin implements RawBridge {
  private readonly calls: ProviderCalls;

  constructor(definition: AnyDefinition, world: World) {
    this.calls = callsOf(definition, world);
  }

  async create(program: Bag): Promise<Stored> {
    const inputs = await this.#check({}, program);
    const { id, outputs } = await this.calls.create(URN, inputs);
    return { id, state: { inputs, outputs } };
  }

  async refresh({ id, state }: Stored): Promise<Stored> {
    const { inputs, outputs } = await this.calls.read(URN, id, state);
    return { id, state: { inputs, outputs } };
  }

  async update({ id, state }: Stored, program: Bag, ignored: string[] = []): Promise<Stored> {
    const inputs = await this.#check(state.inputs, program);
    const { outputs } = await this.calls.update(URN, id, state, inputs, { ignored });
    return { id, state: { inputs, outputs } };
  }

  async diff({ id, state }: Stored, program: Bag, ignored: string[] = []) {
    const inputs = await this.#check(state.inputs, program);
    const answer = await this.calls.diff(URN, id, state, inputs, ignored);
    return { isChange: answer.changes !== 1, text: JSON.stringify(answer) };
  }

  async #check(olds: Bag, program: Bag): Promise<Bag> {
    const { inputs, failures } = await this.calls.check(URN, olds, program);
    if (failures.length > 0) throw new Error(failures.join("\n"));
    return inputs;
  }
}

const PROVIDER = { __provider: "text" };

class Dynamic implements RawBridge {
  private readonly handler;

  constructor(definition: AnyDefinition, world: World) {
    this.handler = dynamicHandler(definition, () => hostOf(() => world.connection, world.logged));
  }

  async create(program: Bag): Promise<Stored> {
    const inputs = await this.#check({}, program);
    const { id, outs } = await this.handler.create(plain(inputs));
    return { id, state: { inputs, outputs: outs } };
  }

  async refresh({ id, state }: Stored): Promise<Stored> {
    const { props = {}, inputs = state.inputs } = await this.handler.read(id, {
      ...plain(state.outputs),
      ...PROVIDER,
    });
    return { id, state: { inputs, outputs: props } };
  }

  async update({ id, state }: Stored, program: Bag, ignored: string[] = []): Promise<Stored> {
    const inputs = await this.#check(state.inputs, program, ignored);
    const { outs } = await this.handler.update(id, { ...plain(state.outputs), ...PROVIDER }, plain(inputs));
    return { id, state: { inputs, outputs: outs } };
  }

  async diff({ id, state }: Stored, program: Bag, ignored: string[] = []) {
    const inputs = await this.#check(state.inputs, program, ignored);
    const answer = await this.handler.diff(id, { ...plain(state.outputs), ...PROVIDER }, plain(inputs));
    return { isChange: answer.changes, text: JSON.stringify(answer) };
  }

  /** The engine adds the marks of the program again. */
  async #check(olds: Bag, program: Bag, ignored: string[] = []): Promise<Bag> {
    const secrets = marksIn(program);
    const aside = { ...(secrets.length > 0 && { secrets }), ...(ignored.length > 0 && { ignored }) };
    const news = {
      ...plain(program),
      ...(Object.keys(aside).length > 0 && { __aside: aside }),
      ...PROVIDER,
    };
    const before = Object.keys(olds).length > 0 ? { ...plain(olds), ...PROVIDER } : {};
    const { inputs, failures } = await this.handler.check(before, news);
    if (failures.length > 0) throw new Error(failures.map(({ reason }) => reason).join("\n"));
    return { ...withMarks(inputs, program), ...PROVIDER };
  }
}

/** Values with the marks that the program has at the same paths. */
function withMarks(values: Bag, program: Bag): Bag {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, withMark(value, program[name])]),
  );
}

function withMark(value: unknown, like: unknown): unknown {
  if (typeof like !== "object" || like === null || value === undefined) return value;
  if (MARK in like) return secret(value);
  if (Array.isArray(value)) return value.map((part, index) => withMark(part, (like as unknown[])[index]));
  if (typeof value !== "object" || value === null) return value;
  return withMarks(value as Bag, like as Bag);
}

export const rawBridges = { dynamic: Dynamic, plugin: Plugin } as const;
