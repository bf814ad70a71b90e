import type { Redactor, Secret } from "../../../packages/redact";
import { subjectOf } from "../language/address";
import { REFRESH_BEFORE_UPDATE } from "../language/commonFields";
import { type AnyDefinition, livesAs } from "../language/resource";
import type { Problem } from "../language/rules";
import type { Notice, StepInput, Subject } from "../language/stepInput";
import { type Steps, stepsOf } from "../operations";
import { type Diff, diff } from "../operations/diff";
import { rememberChecked, rememberCompared } from "../operations/places";
import type { ReadSource } from "../requests/secretSources";
import { parseRecords } from "../state/records";
import { redactorOf, secrecyOf, secretsIn } from "../state/redaction";
import { SecretCopies } from "../state/secretCopies";
import { asideOf, withAside } from "../value/aside";
import type { Path } from "../value/path";
import type { Inputs } from "../value/unknown";
import { noSecrets, secretsForCheck, secretsForStep } from "./callSecrets";
import type { CallLimits, CallValues, Host } from "./callValues";
import { checked, connectionOf, definitionFor, readAgain } from "./checking";
import { copiesIn, keptIn } from "./copies";
import { type Bag, withAsideProperty } from "./engineValues";
import type { CallSecrets } from "./fingerprintedSecrets";
import { Neighbors } from "./neighbors";
import { subjectText } from "./notices";
import { shownChanges, shownProblems } from "./shown";

export type { CallLimits, CallValues, Host } from "./callValues";

/** One call for a resource from either engine bridge: the inputs of its steps, and the redactor of its messages. */
export class Call {
  readonly redactor: Redactor;
  /** The definition in the dialect of the servers. */
  readonly definition: AnyDefinition;
  readonly steps: Steps;

  private constructor(
    definition: AnyDefinition,
    readonly values: CallValues,
    private readonly host: Host,
    private readonly limits: CallLimits,
    /** The secrets of the call that no state contains. */
    readonly secrets: CallSecrets,
  ) {
    this.definition = definitionFor(definition, values, host);
    this.steps = stepsOf(this.definition);
    this.redactor = redactorOf(this.definition, values.inputs, values.outputs);
    this.redactor.spare(values.id);
    this.redactor.add(() => secrets.known());
  }

  /** Creates the call of a check. It reads secrets from their sources, as if the program had written them. */
  static async checking(
    definition: AnyDefinition,
    values: CallValues,
    host: Host,
    limits: CallLimits = {},
  ): Promise<Call> {
    const secrets = await secretsForCheck(definition, values, until(host, limits));
    return new Call(definition, { ...values, ...secrets.values }, host, limits, secrets);
  }

  /**
   * Creates the call of any other step.
   * @param reads true to read secrets from their sources; false to use only the state's knowledge of them
   * @throws AdvisedError if a required secret cannot be read
   */
  static async of(
    definition: AnyDefinition,
    values: CallValues,
    host: Host,
    limits: CallLimits = {},
    reads = true,
  ): Promise<Call> {
    const secrets = await secretsForStep(definition, values, until(host, limits), reads);
    return new Call(definition, { ...values, ...secrets.values }, host, limits, secrets);
  }

  /** Creates a call that only reads lists. It needs no secrets. */
  static listing(definition: AnyDefinition, values: CallValues, host: Host): Call {
    return new Call(definition, values, host, {}, noSecrets(values));
  }

  /** Returns a test for the values in this call's response that the engine must encrypt. */
  secretIn(values: Bag, inputs = this.values.inputs): (path: Path, value: unknown) => boolean {
    const isKept = keptIn(this.definition, values, inputs);
    // A secret path may now have a different value.
    const answered = secretsIn(this.definition, withAside(values as Inputs, asideOf(inputs)));
    const isCopy = this.copyIn(inputs, answered);
    return (path, value) => isKept(path, value) || isCopy(path, value);
  }

  /** Returns a test for values that are copies of a known secret. */
  copyIn(inputs: Inputs, answered: Iterable<Secret> = []): (path: Path, value: unknown) => boolean {
    const known = new SecretCopies([...this.redactor.known(), ...answered]);
    return copiesIn(this.definition, inputs, known, this.secrets);
  }

  /** Prints a warning to the user. */
  warn(text: string): void {
    this.input().log("warning", text);
  }

  /** The resource's name in an error. */
  get subject(): Subject {
    const { id } = this.values;
    return { type: this.definition.token, ...(id !== undefined && { name: id }) };
  }

  /**
   * True if the engine must read the resource before every preview and update. Resources that are never read are excluded.
   * @throws ConfigurationError as `input` does
   */
  get isRefreshedBeforeUpdate(): boolean {
    const { definition, values } = this;
    if (!livesAs(definition, "object") && !livesAs(definition, "procedure")) return false;
    const { [REFRESH_BEFORE_UPDATE]: own } = values.inputs;
    return (own ?? this.named.input().connection.settings[REFRESH_BEFORE_UPDATE]) === true;
  }

  /** The same call for the object in its id, which may name a connection. */
  get named(): Call {
    const { id, inputs } = this.values;
    const { connection } = (id === undefined ? undefined : this.definition.where.id.parse(id)) ?? {};
    if (connection === undefined) return this;
    const named = new Call(
      this.definition,
      { ...this.values, inputs: { ...inputs, connection } },
      this.host,
      this.limits,
      this.secrets,
    );
    // This call also masks the secrets that the named call reads.
    this.redactor.addKnown(named.redactor);
    return named;
  }

  /**
   * The input of a step.
   * @throws ConfigurationError if the configuration of its service cannot be used
   */
  input(): StepInput {
    const { definition, redactor, host } = this;
    const { id, inputs } = this.values;
    const connection = connectionOf(definition, inputs, host);
    redactor.addKnown(connection.redactor);
    const about = subjectOf(definition, connection, inputs, id);
    const tell = (kind: Notice["kind"], text: string) =>
      host.tell({ kind, about, text: redactor.mask(text) });
    return {
      ...this.limits,
      behalf: { object: subjectText(about), ...this.limits.behalf },
      connection,
      adoptsIdentical: host.adoptsIdentical,
      readings: host.readings,
      unforetold: host.unforetold,
      places: host.places,
      redactor,
      ...(this.secrets.fingerprints && { fingerprints: this.secrets.fingerprints }),
      log: tell,
      progress: (text) => tell("progress", text),
    };
  }

  /**
   * The input of a read. The read of a recorded resource is a refresh, which shares its results with other refreshes. Any
   * other read sends its own requests.
   * @throws ConfigurationError as `input` does
   */
  readInput(): StepInput {
    return { ...this.input(), shared: this.host.shared(this.definition.service) };
  }

  /**
   * Checks the program's inputs against the inputs in the state, and prints the notes for a new resource.
   * @param read the fingerprint of the parsed text, according to the state
   */
  async check(earlier: Inputs | undefined, read: string | undefined): Promise<Checked> {
    const { inputs: written } = this.values;
    const found = await checked(this.definition, () => this.input(), {
      earlier: earlier ?? {},
      written,
      read,
    });
    const reasons = [...this.secrets.problems, ...found.problems];
    if (reasons.length === 0) {
      const step = { step: "create", inputs: found.inputs, changed: [] } as const;
      const own = earlier === undefined ? this.definition.notes?.(step) : undefined;
      for (const note of [...found.notes, ...(own ?? []), ...this.#neighbors.named(found.inputs)])
        this.warn(note);
      reasons.push(...rememberChecked(this.definition, this.input(), found.inputs));
    }
    const problems = shownProblems(
      reasons,
      secrecyOf(this.definition, written, this.redactor),
      this.redactor,
    );
    return { inputs: withAsideProperty(this.secrets.inputs(found.inputs), found.read), problems };
  }

  /**
   * Compares the program's inputs with the state.
   * @param read the fingerprint of the text that a check reported as parsed
   */
  async diff(read: string | undefined): Promise<Diff> {
    const { definition } = this;
    const { outputs = {} } = this.values;
    const input = this.input();
    const inputs = await readAgain(definition, input, { outputs, written: this.values.inputs, read });
    const found = diff(definition, input, outputs, inputs);
    rememberCompared(definition, input, { outputs, inputs }, found);
    for (const note of [...found.notes, ...this.#neighbors.namers(found, outputs)]) this.warn(note);
    const secrecy = secrecyOf(definition, inputs, this.redactor, parseRecords(outputs)?.lastApplied);
    return { ...found, changes: shownChanges(found.changes, secrecy) };
  }

  get #neighbors(): Neighbors {
    const { connection } = this.input();
    const { inputs, id } = this.values;
    return new Neighbors(
      this.definition,
      connection,
      this.host.going,
      subjectText(subjectOf(this.definition, connection, inputs, id)),
    );
  }
}

/** The result of a check: the inputs for the state, and the problems with secrets masked. */
export interface Checked {
  readonly inputs: Inputs;
  readonly problems: readonly Problem[];
}

/** A problem as one line. */
export function problemText({ path, reason }: Problem): string {
  return path ? `${path}: ${reason}` : reason;
}

/** Returns a reader for secret sources that stops when the step is cancelled. */
function until({ secretAt }: Host, { signal }: CallLimits): ReadSource {
  return (source) => secretAt(source, signal);
}
