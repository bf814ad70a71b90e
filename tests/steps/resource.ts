import type { Values } from "../../provider/core/language/object";
import type { PlaceMemory } from "../../provider/core/language/placeMemory";
import { type AnyDefinition, inDialect } from "../../provider/core/language/resource";
import type { Problem } from "../../provider/core/language/rules";
import type { StepInput } from "../../provider/core/language/stepInput";
import { type Steps, stepsOf } from "../../provider/core/operations";
import { check } from "../../provider/core/operations/check";
import { type Diff, diff } from "../../provider/core/operations/diff";
import { readText, type TextRead } from "../../provider/core/operations/readText";
import { withMiddleware } from "../../provider/core/requests/middleware";
import type { Snapshots } from "../../provider/core/requests/shared/snapshots";
import { parseRecords, type Records } from "../../provider/core/state/records";
import type { Json } from "../../provider/core/value/json";
import { withMetadata } from "../../provider/core/value/programInputs";
import type { Inputs } from "../../provider/core/value/unknown";
import type { World } from "./world";

/** One resource as an engine manages it: its state, and the steps that change it. */
export class Resource {
  id = "";
  outputs: { [property: string]: Json } = {};
  /** The inputs in the state, which a refresh updates. */
  inputs: Values = {};
  /** Whether the last step is incomplete, so that an up updates the resource even if the preview shows no changes. */
  isHalfDone = false;
  /** Cancels the next steps. */
  signal?: AbortSignal;
  /** Whether a create adopts an object that equals the program. */
  adoptsIdentical = false;
  /** The snapshots that refreshes share; undefined if each refresh reads by itself. */
  snapshots?: Snapshots;

  /** Dry runs that are not available to its previews; shared by all resources of a command. */
  unavailableScopes = new Set<string>();

  /** The objects that its command manages; without it, each step is a separate command. */
  places?: PlaceMemory;

  /** The definition in the dialect of its servers, as a bridge uses it. */
  readonly definition: AnyDefinition;
  private readonly steps: Steps;

  constructor(
    readonly world: World,
    definition: AnyDefinition,
  ) {
    this.definition = inDialect(definition, world.connection.dialect);
    this.steps = stepsOf(this.definition);
  }

  private get input(): StepInput {
    const { world, snapshots, adoptsIdentical, places } = this;
    return {
      adoptsIdentical,
      ...(places && { places }),
      ...(world.writes && { writes: world.writes }),
      connection: snapshots
        ? withMiddleware(world.connection, snapshots.invalidation(this.definition.service.name))
        : world.connection,
      ...(this.signal && { signal: this.signal }),
      log: (level, message, facts) => {
        // The engine or the host adds the name of the resource.
        if (message.includes(`${this.definition.token} "`))
          throw new Error(`it names its resource: ${message}`);
        world.log(`${level}: ${message}`, facts);
      },
      progress: (message) => world.log(`progress: ${message}`),
    };
  }

  /** The records in the state. */
  get record(): Records {
    const records = parseRecords(this.outputs);
    if (records === undefined) throw new Error("the state holds no records");
    return records;
  }

  /** The check before a step, with the state's inputs; the service parses texts such as HCL. */
  prepare(inputs: Inputs): Promise<TextRead> {
    return readText(this.definition, this.input, [this.inputs], inputs);
  }

  check(inputs: Inputs): Problem[] {
    return check(this.definition, this.input, inputs);
  }

  async create(inputs: Values): Promise<void> {
    try {
      const made = await this.steps.create(this.input, withMetadata(inputs, {}));
      this.id = made.id;
      this.outputs = made.outputs;
      this.inputs = inputs;
      this.isHalfDone = false;
    } catch (error) {
      this.keepPartial(error, inputs);
      throw error;
    }
  }

  preview(inputs: Inputs): Diff {
    return diff(this.definition, this.input, this.outputs, inputs);
  }

  /** The dry run of a preview: of a create, or of an update if the state contains the resource. */
  async forecast(inputs: Inputs): Promise<void> {
    const outputs = this.id === "" ? undefined : this.outputs;
    await this.steps.forecast(
      { ...this.input, unavailableScopes: this.unavailableScopes },
      withMetadata(inputs, {}),
      outputs,
    );
  }

  plan(inputs: Inputs, outputs?: Inputs): Inputs {
    return this.steps.previewOutputs(this.input, withMetadata(inputs, {}), outputs);
  }

  async update(inputs: Values): Promise<void> {
    try {
      this.outputs = await this.steps.update(this.input, this.outputs, withMetadata(inputs, {}));
      this.inputs = inputs;
      this.isHalfDone = false;
    } catch (error) {
      this.keepPartial(error, inputs);
      throw error;
    }
  }

  /** An up: updates only if the preview shows changes or the last step is incomplete. */
  async up(inputs: Values): Promise<boolean> {
    if (this.preview(inputs).changes.length === 0 && !this.isHalfDone) {
      this.inputs = inputs;
      return false;
    }
    await this.update(inputs);
    return true;
  }

  /**
   * A refresh; false if the object no longer exists.
   * @param shared the reads that it shares with other resources
   */
  async refresh(shared = this.snapshots?.of(this.definition.service.name)): Promise<boolean> {
    const found = await this.steps.read({ ...this.input, ...(shared && { shared }) }, this.id, this.outputs);
    if (found === undefined) return false;
    this.id = found.id;
    this.outputs = found.outputs;
    this.inputs = found.inputs ?? this.inputs;
    this.isHalfDone = false;
    return true;
  }

  /** @returns the inputs that an import by this ID generates */
  async get(id: string): Promise<Values> {
    const found = await this.steps.read(this.input, id);
    if (found === undefined) throw new Error("a read by ID alone must throw");
    this.id = found.id;
    this.outputs = found.outputs;
    this.inputs = found.inputs ?? {};
    return found.imported?.inputs ?? this.inputs;
  }

  delete(): Promise<void> {
    return this.steps.remove(this.input, this.outputs);
  }

  private keepPartial(error: unknown, inputs: Values): void {
    if (!(error instanceof Error) || !("id" in error) || !("outputs" in error)) return;
    this.id = String(error.id);
    // A partial error carries outputs as a success does.
    this.outputs = error.outputs as typeof this.outputs;
    this.isHalfDone = true;
    this.inputs = inputs;
  }
}
