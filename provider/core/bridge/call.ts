import type { Redactor } from "../http/redact/redactor";
import type { Secret } from "../http/redact/secret";
import type { Behalf } from "../http/request";
import { addressOf, subjectOf } from "../language/address";
import { REFRESH_BEFORE_UPDATE } from "../language/commonFields";
import type { Connection } from "../language/connection";
import { segmentsOf } from "../language/ignored";
import { type AnyDefinition, inDialect, livesAs } from "../language/resource";
import type { Problem } from "../language/rules";
import type { Notice, StepInput, Subject } from "../language/stepInput";
import { ConfigurationError } from "../requests/given";
import type { ReadSource } from "../requests/secretSources";
import { parseRecords } from "../state/records";
import { redactorOf, secrecyOf, secretsIn } from "../state/redaction";
import { SecretCopies } from "../state/secretCopies";
import { type Steps, stepsOf } from "../steps";
import { type Diff, diff } from "../steps/diff";
import { rememberChecked, rememberCompared } from "../steps/places";
import { asideOf, withAside } from "../value/aside";
import { formatPath, type Path } from "../value/path";
import type { Inputs } from "../value/unknown";
import { type Bag, withAsideProperty } from "./asideProperty";
import { type CallSecrets, noSecrets } from "./callSecrets";
import { checked, readAgain } from "./checking";
import { copiesIn } from "./copies";
import { keptIn } from "./kept";
import { subjectText } from "./notices";
import type { Provider } from "./provider";
import { openedForCheck, sealedForStep } from "./readSecrets";

/** What a call needs of a provider. */
export type Host = Pick<
  Provider,
  | "adoptsIdentical"
  | "connection"
  | "going"
  | "places"
  | "readings"
  | "secretAt"
  | "shared"
  | "tell"
  | "unforetold"
>;

/** What an engine hands over with a call for one resource. */
export interface CallValues {
  readonly id?: string;
  readonly inputs: Inputs;
  readonly outputs?: Inputs;
}

/** How long a call may take, in milliseconds, what ends it, and on whose behalf it is made. */
export interface CallLimits {
  readonly timeout?: number;
  readonly signal?: AbortSignal;
  readonly behalf?: Behalf;
}

/** One call for a resource, whichever engine makes it: what its steps are given, and what masks what it tells. */
export class Call {
  readonly redactor: Redactor;
  /** The definition in the dialect of the servers that are asked. */
  readonly definition: AnyDefinition;
  readonly steps: Steps;

  private constructor(
    definition: AnyDefinition,
    readonly values: CallValues,
    private readonly host: Host,
    private readonly limits: CallLimits,
    /** Its secrets that stand in no state. */
    readonly secrets: CallSecrets,
  ) {
    this.definition = definitionFor(definition, values, host);
    this.steps = stepsOf(this.definition);
    this.redactor = redactorOf(this.definition, values.inputs, values.outputs);
    this.redactor.spare(values.id);
    this.redactor.add(() => secrets.known());
  }

  /** A call for a check: what the program keeps elsewhere is read, as if it wrote it. */
  static async checking(
    definition: AnyDefinition,
    values: CallValues,
    host: Host,
    limits: CallLimits = {},
  ): Promise<Call> {
    const secrets = await openedForCheck(definition, values, until(host, limits));
    return new Call(definition, { ...values, ...secrets.values }, host, limits, secrets);
  }

  /**
   * A call for any other step.
   * @param reads whether what the program keeps elsewhere is read, or only what the state knows of it counts
   * @throws AdvisedError where something of that is needed and cannot be had
   */
  static async of(
    definition: AnyDefinition,
    values: CallValues,
    host: Host,
    limits: CallLimits = {},
    reads = true,
  ): Promise<Call> {
    const secrets = await sealedForStep(definition, values, until(host, limits), reads);
    return new Call(definition, { ...values, ...secrets.values }, host, limits, secrets);
  }

  /** A call that only looks at lists: none of its secrets is needed. */
  static listing(definition: AnyDefinition, values: CallValues, host: Host): Call {
    return new Call(definition, values, host, {}, noSecrets(values));
  }

  /** What the engine must encrypt of the values that this call answers. */
  secretIn(values: Bag, inputs = this.values.inputs): (path: Path, value: unknown) => boolean {
    const isKept = keptIn(this.definition, values, inputs);
    // At a place that is secret there may be another value now.
    const answered = secretsIn(this.definition, withAside(values as Inputs, asideOf(inputs)));
    const isCopy = this.copyIn(inputs, answered);
    return (path, value) => isKept(path, value) || isCopy(path, value);
  }

  /** Which values are copies of a secret that is known by now. */
  copyIn(inputs: Inputs, answered: Iterable<Secret> = []): (path: Path, value: unknown) => boolean {
    const known = new SecretCopies([...this.redactor.known(), ...answered]);
    return copiesIn(this.definition, inputs, known, this.secrets);
  }

  /** Tells the person who runs the program. */
  warn(text: string): void {
    this.input().log("warning", text);
  }

  /** The resource as an error names it. */
  get subject(): Subject {
    const { id } = this.values;
    return { type: this.definition.token, ...(id !== undefined && { name: id }) };
  }

  /**
   * Whether the engine is to read the resource before every preview and update. What is never read is not read for that.
   * @throws ConfigurationError as `input` does
   */
  get isRefreshedBeforeUpdate(): boolean {
    const { definition, values } = this;
    if (!livesAs(definition, "object") && !livesAs(definition, "procedure")) return false;
    const { [REFRESH_BEFORE_UPDATE]: own } = values.inputs;
    return (own ?? this.named.input().connection.settings[REFRESH_BEFORE_UPDATE]) === true;
  }

  /** The same call of the object that an id names, which may say by which connection. */
  get named(): Call {
    const { id, inputs } = this.values;
    const { connection } = (id === undefined ? undefined : this.definition.where.id.parse(id)) ?? {};
    if (connection === undefined) return this;
    return new Call(
      this.definition,
      { ...this.values, inputs: { ...inputs, connection } },
      this.host,
      this.limits,
      this.secrets,
    );
  }

  /**
   * What a step is given.
   * @throws ConfigurationError where the configuration of its service cannot be used
   */
  input(): StepInput {
    const { definition, redactor, host } = this;
    const { id, inputs } = this.values;
    const connection = connectionOf(definition, inputs, host);
    const about = subjectOf(definition, connection, inputs, id);
    const tell = (kind: Notice["kind"], text: string) =>
      host.tell({ kind, about, text: redactor.mask(text) });
    return {
      ...this.limits,
      behalf: { object: subjectText(about), ...this.limits.behalf },
      connection,
      preview: false,
      adoptsIdentical: host.adoptsIdentical,
      readings: host.readings,
      unforetold: host.unforetold,
      places: host.places,
      redactor,
      ...(this.secrets.sealing && { sealing: this.secrets.sealing }),
      log: tell,
      progress: (text) => tell("progress", text),
    };
  }

  /**
   * What a read is given. Where the resource is on record it is a refresh, which shares; any other read looks by itself.
   * @throws ConfigurationError as `input` does
   */
  readInput(): StepInput {
    return { ...this.input(), shared: this.host.shared(this.definition.service) };
  }

  /**
   * Checks what a program writes against the inputs of the state, and tells what there is to say of a new resource.
   * @param read the fingerprint of the text that was read by the state's word
   */
  async check(earlier: Inputs | undefined, read: string | undefined): Promise<Checked> {
    const { inputs: written } = this.values;
    const found = await checked(this.definition, () => this.input(), {
      earlier: earlier ?? {},
      written,
      read,
    });
    if (found.problems.length + this.secrets.problems.length === 0) {
      const step = { step: "create", inputs: found.inputs, changed: [] } as const;
      const own = earlier === undefined ? this.definition.notes?.(step) : undefined;
      for (const note of [...found.notes, ...(own ?? []), ...this.#naming(found.inputs)]) this.warn(note);
      rememberChecked(this.definition, this.input(), found.inputs);
    }
    const { shownPath } = secrecyOf(this.definition, written, this.redactor);
    const problems = [...this.secrets.problems, ...found.problems].map(({ path, reason }) => {
      const segments = segmentsOf(path);
      const shown = shownPath(segments);
      return {
        path: shown.length < segments.length ? formatPath(shown) : path,
        reason: this.redactor.mask(reason),
      };
    });
    return { inputs: withAsideProperty(this.secrets.inputs(found.inputs), found.read), problems };
  }

  /**
   * Compares what a program writes with the state.
   * @param read the fingerprint of the text that a check says was read
   */
  async diff(read: string | undefined): Promise<Diff> {
    const { definition } = this;
    const { outputs = {} } = this.values;
    const input = this.input();
    const inputs = await readAgain(definition, input, { outputs, written: this.values.inputs, read });
    const found = diff(definition, input, outputs, inputs);
    rememberCompared(definition, input, { outputs, inputs }, found);
    for (const note of [...found.notes, ...this.#going(found, outputs)]) this.warn(note);
    return { ...found, changes: this.#shown(found.changes, inputs, outputs) };
  }

  /** Changes with paths that the engine may print. */
  #shown(changes: Diff["changes"], inputs: Inputs, outputs: Inputs): Diff["changes"] {
    const { shownPath } = secrecyOf(this.definition, inputs, this.redactor, parseRecords(outputs)?.applied);
    return changes.map((change) => {
      const written = shownPath(change.written);
      return written.length === change.written.length ? change : { ...change, written, kind: "update" };
    });
  }

  /** What is to be said of objects that these inputs name, and that go. */
  #naming(inputs: Inputs): string[] {
    const { references } = this.definition;
    if (references === undefined) return [];
    const { connection, key } = this.#keys();
    const names = references.from(inputs, addressOf(this.definition, connection, inputs)).map(key);
    return this.host.going
      .names(this.#inWords(), names)
      .map((what) => `it names ${what}, which goes in this run: another one takes its place`);
  }

  /** What is to be said of an object that goes, because another one takes its place, while others name it. */
  #going({ changes }: Diff, outputs: Inputs): string[] {
    const { references } = this.definition;
    const address = parseRecords(outputs)?.address;
    if (references === undefined || address === undefined || !changes.some(({ replaces }) => replaces))
      return [];
    const names = references.to(address).map(this.#keys().key);
    return this.host.going
      .goes(this.#inWords(), names)
      .map((who) => `it goes, because another one takes its place, and ${who} names it`);
  }

  #keys() {
    const { connection } = this.input();
    return { connection, key: (name: string) => JSON.stringify([connection.name ?? null, name]) };
  }

  #inWords(): string {
    const { connection } = this.input();
    return subjectText(subjectOf(this.definition, connection, this.values.inputs, this.values.id));
  }
}

function connectionOf({ service }: AnyDefinition, { connection: name }: Inputs, host: Host): Connection {
  return host.connection(service, typeof name === "string" ? name : undefined);
}

/** The definition in the dialect of the servers that are asked; as it is while the configuration cannot be used. */
function definitionFor(definition: AnyDefinition, { inputs }: CallValues, host: Host): AnyDefinition {
  if (definition.inDialect === undefined) return definition;
  try {
    return inDialect(definition, connectionOf(definition, inputs, host).dialect);
  } catch (error) {
    if (error instanceof ConfigurationError) return definition;
    throw error;
  }
}

/** What a check finds: the inputs as the state is to keep them, and why they cannot be used, secrets masked. */
export interface Checked {
  readonly inputs: Inputs;
  readonly problems: readonly Problem[];
}

/** A problem as a line. */
export function problemText({ path, reason }: Problem): string {
  return path ? `${path}: ${reason}` : reason;
}

/** Reads the secrets that a program keeps elsewhere, until the step is cancelled. */
function until({ secretAt }: Host, { signal }: CallLimits): ReadSource {
  return (source) => secretAt(source, signal);
}
