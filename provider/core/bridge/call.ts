import type { Redactor, Secret } from "../../../packages/redact";
import type { MessageFacts } from "../http/remedies";
import type { RequestOrigin } from "../http/request";
import { subjectOf } from "../language/address";
import { REFRESH_BEFORE_UPDATE } from "../language/commonFields";
import { nounOf } from "../language/fields";
import { type AnyDefinition, hasLifecycle } from "../language/resource";
import type { Notice, StepInput, Subject } from "../language/stepInput";
import { type Steps, stepsOf } from "../operations";
import type { ReadSource } from "../requests/secretSources";
import { redactorOf } from "../state/redaction";
import { SecretCopies } from "../state/secretCopies";
import { SecretMap } from "../state/secretMap";
import type { ProgramInputs } from "../value/programInputs";
import type { Inputs } from "../value/unknown";
import { noSecrets, secretsForCheck, secretsForStep } from "./callSecrets";
import { copiesIn, withRecordedText } from "./copies";
import type { Bag, IsSecret } from "./engineValues";
import { withFileDigests } from "./fileDigests";
import type { CallSecrets } from "./fingerprintedSecrets";
import { subjectText } from "./notices";
import { connectionOf, definitionFor, type Host } from "./provider";

export type { Host } from "./provider";

/** The values that an engine sends with a call for one resource. */
export interface CallValues {
  readonly id?: string;
  readonly inputs: ProgramInputs;
  readonly outputs?: Inputs;
}

/** The time limit of a call in milliseconds, the signal that cancels it, and the origin of its requests. */
export interface CallLimits {
  readonly timeout?: number;
  readonly signal?: AbortSignal;
  readonly behalf?: RequestOrigin;
}

/** One call for a resource from either engine bridge: the inputs of its steps, and the redactor of its messages. */
export class Call {
  readonly redactor: Redactor;
  /** The definition in the dialect of the servers. */
  readonly definition: AnyDefinition;
  readonly steps: Steps;

  private constructor(
    definition: AnyDefinition,
    readonly values: CallValues,
    readonly host: Host,
    private readonly limits: CallLimits,
    /** The secrets of the call that no state contains. */
    readonly secrets: CallSecrets,
  ) {
    this.definition = definitionFor(definition, values.inputs, host);
    this.steps = stepsOf(this.definition);
    this.redactor = redactorOf(this.definition, values.inputs, values.outputs);
    this.redactor.spare(values.id);
    this.redactor.add(() => secrets.knownSecrets());
  }

  /** Creates the call of a check. It reads secrets from their sources, as if the program had written them. */
  static async checking(
    definition: AnyDefinition,
    values: CallValues,
    host: Host,
    limits: CallLimits = {},
  ): Promise<Call> {
    const { inputs, problems } = await withFileDigests(definition, values.inputs);
    const own = await secretsForCheck(definition, { ...values, inputs }, until(host, limits));
    const secrets = { ...own, problems: [...own.problems, ...problems] };
    return new Call(definition, { ...values, ...secrets.values }, host, limits, secrets);
  }

  /**
   * Creates the call of any other step.
   * @param reads true to read secrets from their sources; false to use only the state's knowledge of them
   * @throws ActionableError if a required secret cannot be read
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
  secretIn(values: Bag, inputs: Inputs = this.values.inputs): IsSecret {
    const map = new SecretMap(this.definition, withRecordedText(this.definition, values, inputs));
    // A secret path may now have a different value.
    const isCopy = this.copyIn(inputs, map.collect(values));
    return (path, value) => map.holdsSecret(path, value) || isCopy(path, value);
  }

  /** Returns a test for values that are copies of a known secret. */
  copyIn(inputs: Inputs, answered: Iterable<Secret> = []): IsSecret {
    const known = new SecretCopies([...this.redactor.knownSecrets(), ...answered]);
    return copiesIn(this.definition, inputs, known, this.secrets);
  }

  /** Prints a warning to the user. */
  warn(text: string): void {
    this.input().log("warning", text);
  }

  /** The resource's name in an error. */
  get subject(): Subject {
    const { id } = this.values;
    return { type: nounOf(this.definition), ...(id !== undefined && { name: id }) };
  }

  /**
   * True if the engine must read the resource before every preview and update. Resources that are never read are excluded.
   * @throws ConfigurationError as `input` does
   */
  get isRefreshedBeforeUpdate(): boolean {
    const { definition, values } = this;
    if (!hasLifecycle(definition, "object") && !hasLifecycle(definition, "procedure")) return false;
    const { [REFRESH_BEFORE_UPDATE]: own } = values.inputs;
    return (own ?? this.named.input().connection.settings[REFRESH_BEFORE_UPDATE]) === true;
  }

  /** The same call for the object in its ID, which may name a connection. */
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
    const tell = (kind: Notice["kind"], text: string, facts?: MessageFacts) =>
      host.tell({ kind, about, text: redactor.mask(text), ...(facts && { facts }) });
    return {
      ...this.limits,
      behalf: { object: subjectText(about), ...this.limits.behalf },
      connection,
      adoptsIdentical: host.adoptsIdentical,
      readings: host.readings,
      unavailableScopes: host.unavailableScopes,
      places: host.places,
      writes: host.writes,
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
}

/** Returns a reader for secret sources that stops when the step is canceled. */
function until({ secretAt }: Host, { signal }: CallLimits): ReadSource {
  return (source) => secretAt(source, signal);
}
