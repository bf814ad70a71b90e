import type { Redactor, Secret } from "../../../packages/redact";
import { subjectOf } from "../language/address";
import { REFRESH_BEFORE_UPDATE } from "../language/commonFields";
import { type AnyDefinition, livesAs } from "../language/resource";
import type { Problem } from "../language/rules";
import type { Notice, StepInput, Subject } from "../language/stepInput";
import type { ReadSource } from "../requests/secretSources";
import { parseRecords } from "../state/records";
import { redactorOf, secrecyOf, secretsIn } from "../state/redaction";
import { SecretCopies } from "../state/secretCopies";
import { type Steps, stepsOf } from "../steps";
import { type Diff, diff } from "../steps/diff";
import { rememberChecked, rememberCompared } from "../steps/places";
import { asideOf, withAside } from "../value/aside";
import type { Path } from "../value/path";
import type { Inputs } from "../value/unknown";
import { type Bag, subjectText, withAsideProperty } from "./asideProperty";
import { type CallSecrets, noSecrets } from "./callSecrets";
import type { CallLimits, CallValues, Host } from "./callValues";
import { checked, connectionOf, definitionFor, readAgain } from "./checking";
import { copiesIn, keptIn } from "./copies";
import { shownChanges, shownProblems } from "./engineValues";
import { Neighbors } from "./neighbors";
import { openedForCheck, sealedForStep } from "./readSecrets";

export type { CallLimits, CallValues, Host } from "./callValues";

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
    const named = new Call(
      this.definition,
      { ...this.values, inputs: { ...inputs, connection } },
      this.host,
      this.limits,
      this.secrets,
    );
    // This call marks what the named one reads.
    this.redactor.addKnown(named.redactor);
    return named;
  }

  /**
   * What a step is given.
   * @throws ConfigurationError where the configuration of its service cannot be used
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
    for (const note of [...found.notes, ...this.#neighbors.namers(found, outputs)]) this.warn(note);
    const secrecy = secrecyOf(definition, inputs, this.redactor, parseRecords(outputs)?.applied);
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
