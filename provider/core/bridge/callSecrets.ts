import { AdvisedError, again } from "../http/waysOn";
import { segmentsOf } from "../language/ignored";
import type { Problem } from "../language/rules";
import type { Specified } from "../language/specified";
import type { ReadSource } from "../requests/secretSources";
import { NoText } from "../requests/tokens/texts";
import { formatRecords, parseRecords, RECORDS, type Records, UnreadableRecordsError } from "../state/records";
import { placeAsWritten, placeInBody, sealedPlaces, sourcesIn } from "../state/sources";
import { asideOf, withAside } from "../value/aside";
import { formatPath, type Path, valueAt, withPartAt } from "../value/path";
import { isSeal, newSalt, Sealing, saltOf, sealsIn } from "../value/sealing";
import { isSameSource, type SecretSource, sourceText } from "../value/source";
import { type Inputs, UNKNOWN } from "../value/unknown";
import type { Bag } from "./asideProperty";

/** What a call is about, as far as secrets may be in it. */
interface Values {
  readonly inputs: Inputs;
  readonly outputs?: Inputs;
}

/** What a call has to do with secrets that its program does not write. */
export interface CallSecrets {
  /** What the steps are given. */
  readonly values: Values;
  /** What stands for each of them; none where there are none. */
  readonly sealing?: Sealing;
  /** Which of them cannot be had. */
  readonly problems: readonly Problem[];
  /** Every one that is known by now. */
  known(): readonly string[];
  /** Inputs for the state. */
  inputs(inputs: Inputs): Inputs;
  /** Outputs for the state. */
  outputs(outputs: Bag): Bag;
}

/** Of a call whose program writes all of its secrets. */
export function noSecrets(values: Values): CallSecrets {
  return { values, problems: [], known: () => [], inputs: (own) => own, outputs: (own) => own };
}

/** For a check: the inputs as if the program wrote the secrets itself; what cannot be had is unknown, and told. */
export async function openedForCheck(
  definition: Specified,
  values: Values,
  read: ReadSource,
): Promise<CallSecrets> {
  const sourced = sourcesIn(definition, values.inputs);
  if (sourced.length === 0) return noSecrets(values);
  const problems: Problem[] = [];
  const secrets: string[] = [];
  let { inputs } = values;
  for (const { path, source } of sourced) {
    const secret = await readOr(read, source, (why) => {
      problems.push({ path: formatPath(path), reason: reasonOf(source, why) });
    });
    if (secret !== undefined) secrets.push(secret);
    inputs = withPartAt(inputs, path, secret ?? UNKNOWN);
  }
  return {
    ...noSecrets({ ...values, inputs }),
    problems,
    known: () => secrets,
    inputs: (own) => sourced.reduce((all, { path, source }) => withPartAt(all, path, source), own),
  };
}

/**
 * For a step: a seal stands in the inputs, and in the records, for each secret that is kept elsewhere. One that cannot be
 * had counts as it is on record, if its source is that one.
 * @param reads whether the secrets of these inputs are to be read; else they are as on record
 * @throws AdvisedError for those that are neither to be had nor on record
 */
export async function sealedForStep(
  definition: Specified,
  values: Values,
  read: ReadSource,
  reads = true,
): Promise<CallSecrets> {
  const records = readableRecords(values.outputs);
  const sourced = sourcesIn(definition, values.inputs);
  const along = asideOf(values.inputs).sources ?? {};
  const recorded = sourcesOnRecord(records);
  if (sourced.length === 0 && Object.keys(along).length === 0 && recorded.size === 0)
    return noSecrets(values);
  const sealing = new Sealing(saltOnRecord(records) ?? newSalt());
  const problems: Problem[] = [];
  const sources: Record<string, SecretSource> = { ...along };
  let { inputs } = values;
  for (const { path, source } of sourced) {
    const key = formatPath(path);
    sources[key] = source;
    const earlier = earlierSeal(recorded.get(key), source);
    const secret =
      reads || earlier === undefined
        ? await readOr(read, source, (why) => {
            if (earlier === undefined) problems.push({ path: key, reason: reasonOf(source, why) });
          })
        : undefined;
    inputs = withPartAt(inputs, path, secret === undefined ? earlier : sealing.seal(secret));
  }
  if (problems.length > 0) throw missing(problems);
  // Of what is only on record nothing is needed; but what is said must not hold it.
  for (const source of Object.values(along)) {
    const secret = await readOr(read, source, () => undefined);
    if (secret !== undefined) sealing.seal(secret);
  }
  return new SealedSecrets(definition, sealing, withAside(inputs, { ...asideOf(inputs), sources }), {
    ...values,
    ...(records && { records }),
  });
}

/** The values of a call in which seals stand for secrets, and the way back. */
class SealedSecrets implements CallSecrets {
  readonly problems = [];
  readonly values: Values;
  readonly sealing: Sealing;
  /** Where the program says a source, as it is compared. */
  readonly #sourced: readonly Path[];

  constructor(
    private readonly definition: Specified,
    sealing: Sealing,
    written: Inputs,
    { outputs, records }: { readonly outputs?: Inputs; readonly records?: Records },
  ) {
    this.#sourced = sealedPlaces(definition, written);
    const places = unique([...this.#sourced, ...(records === undefined ? [] : sealsOf(definition, records))]);
    const seal = <V extends Inputs>(values: V) => withSeals(definition, values, places, sealing);
    const inputs = seal(written);
    this.values = {
      inputs,
      ...(outputs && {
        outputs:
          records === undefined
            ? outputs
            : { ...outputs, [RECORDS]: formatRecords(sealedRecords(records, places, sealing, seal)) },
      }),
    };
    this.sealing = sealing.at(bodyPlaces(definition, places));
  }

  known(): readonly string[] {
    return this.sealing.secrets();
  }

  inputs(inputs: Inputs): Inputs {
    const { sources = {}, ...aside } = asideOf(this.values.inputs);
    return withAside(this.#withSources(inputs, sources), { ...aside, ...asideOf(inputs), sources: {} });
  }

  outputs({ [RECORDS]: text, ...outputs }: Bag): Bag {
    const { sources = {} } = asideOf(this.values.inputs);
    const shown = withoutSeals(this.#openedBut(outputs, (path) => sources[formatPath(path)] !== undefined));
    if (typeof text !== "string") return shown as Bag;
    const records = parseRecords({ [RECORDS]: text });
    if (records === undefined) return { ...(shown as Bag), [RECORDS]: text };
    const opened = this.#openedRecords(records);
    return { ...(shown as Bag), [RECORDS]: opened === records ? text : formatRecords(opened) };
  }

  /** Records in which seals stand only for what the program does not write, or what nobody here knows. */
  #openedRecords(records: Records): Records {
    const { definition } = this;
    const own = <V extends Inputs>(values: V) => {
      const { sources = {} } = asideOf(values);
      return this.#openedBut(values, (path) => sources[formatPath(path)] !== undefined);
    };
    const applied = own(records.applied);
    const attempted = records.attempted && own(records.attempted);
    const sourced = new Set(
      [...this.#sourced, ...[applied, attempted ?? {}].flatMap((each) => sealedPlaces(definition, each))].map(
        formatPath,
      ),
    );
    const model = <V extends object>(values: V) =>
      this.#openedBut(values, (path) => sourced.has(formatPath(path)));
    const settled = model(records.settled);
    const seen = records.seen === records.settled ? settled : model(records.seen);
    const isSame =
      applied === records.applied &&
      attempted === records.attempted &&
      settled === records.settled &&
      seen === records.seen;
    return isSame ? records : { ...records, applied, settled, seen, ...(attempted && { attempted }) };
  }

  /** Values with the secrets themselves, where they are known, but for some places. */
  #openedBut<V extends object>(values: V, isKept: (path: Path) => boolean): V {
    return sealsIn(values).reduce((all, path) => {
      const secret = isKept(path) ? undefined : this.sealing.secretOf(String(valueAt(all, path)));
      return secret === undefined ? all : withPartAt(all, path, secret);
    }, values);
  }

  /** Inputs as the program writes them: where it says a source, that; nowhere a seal. */
  #withSources(inputs: Inputs, sources: Readonly<Record<string, SecretSource>>): Inputs {
    const written = Object.entries(sources).reduce((all, [key, source]) => {
      const path = segmentsOf(key);
      return isSeal(valueAt(all, path)) ? withPartAt(all, path, source) : all;
    }, inputs);
    // A value of inputs stays one.
    return withoutSeals(this.#openedBut(written, () => false)) as Inputs;
  }
}

function bodyPlaces(definition: Specified, places: readonly Path[]): Path[] {
  return places.flatMap((place) => {
    const path = placeInBody(definition, place);
    return path === undefined ? [] : [path];
  });
}

/** Values as a program writes them, with seals at these places. */
function withSeals<V extends Inputs>(
  definition: Specified,
  values: V,
  places: readonly Path[],
  sealing: Sealing,
): V {
  return places.reduce(
    (all, place) => sealedAt(all, placeAsWritten(definition, all, place), sealing),
    values,
  );
}

function sealedAt<V extends object>(values: V, path: Path, sealing: Sealing): V {
  const secret = valueAt(values, path);
  if (typeof secret !== "string" || secret === "" || isSeal(secret)) return values;
  return withPartAt(values, path, sealing.seal(secret));
}

function sealedRecords(
  records: Records,
  places: readonly Path[],
  sealing: Sealing,
  seal: <V extends Inputs>(values: V) => V,
): Records {
  const model = <V extends object>(values: V) =>
    places.reduce((all, place) => sealedAt(all, place, sealing), values);
  const settled = model(records.settled);
  return {
    ...records,
    applied: seal(records.applied),
    settled,
    seen: records.seen === records.settled ? settled : model(records.seen),
    ...(records.attempted && { attempted: seal(records.attempted) }),
  };
}

/** Where records hold seals, as it is compared. */
function sealsOf(definition: Specified, { applied, attempted, settled, seen }: Records): Path[] {
  const written = [applied, attempted ?? {}].flatMap((each) => sealedPlaces(definition, each));
  return [...written, ...sealsIn(settled), ...(seen === settled ? [] : sealsIn(seen))];
}

function unique(paths: readonly Path[]): Path[] {
  return [...new Map(paths.map((path) => [formatPath(path), path])).values()];
}

/** A value without its seals: nobody reads them, and they are no value. */
function withoutSeals(value: unknown): unknown {
  if (sealsIn(value).length === 0) return value;
  if (Array.isArray(value))
    return value.flatMap((part: unknown) => (isSeal(part) ? [] : [withoutSeals(part)]));
  return Object.entries(value as object).reduce(
    (all, [name, part]) => withPartAt(all, [name], isSeal(part) ? undefined : withoutSeals(part)),
    value as object,
  );
}

/** What is on record of a source: it, and the seal of what it gave. */
interface OnRecord {
  readonly source: SecretSource;
  readonly seal: string;
}

function sourcesOnRecord(records: Records | undefined): ReadonlyMap<string, OnRecord> {
  const { applied = {}, attempted = {} } = records ?? {};
  return new Map(
    [attempted, applied].flatMap((written) =>
      Object.entries(asideOf(written).sources ?? {}).flatMap(([key, source]) => {
        const seal = valueAt(written, segmentsOf(key));
        return isSeal(seal) ? [[key, { source, seal }] as const] : [];
      }),
    ),
  );
}

function saltOnRecord(records: Records | undefined): string | undefined {
  const [first] = [...sourcesOnRecord(records).values()];
  return first && saltOf(first.seal);
}

function earlierSeal(recorded: OnRecord | undefined, source: SecretSource): string | undefined {
  return recorded !== undefined && isSameSource(recorded.source, source) ? recorded.seal : undefined;
}

/** The records, where they can be read: where they cannot, the step says so itself. */
function readableRecords(outputs: Inputs | undefined): Records | undefined {
  try {
    return parseRecords(outputs);
  } catch (error) {
    if (error instanceof UnreadableRecordsError) return undefined;
    throw error;
  }
}

async function readOr(
  read: ReadSource,
  source: SecretSource,
  lacking: (why: string) => void,
): Promise<string | undefined> {
  try {
    return await read(source);
  } catch (error) {
    if (!(error instanceof NoText)) throw error;
    lacking(error.message);
    return undefined;
  }
}

function reasonOf(source: SecretSource, why: string): string {
  const way =
    "fromEnv" in source
      ? "set it where the engine runs"
      : "have it written, or correct the path, which leads from the program's folder";
  return `${sourceText(source)}: ${why}: ${way}`;
}

function missing(problems: readonly Problem[]): AdvisedError {
  return new AdvisedError(problems.map(({ path, reason }) => `${path}: ${reason}`).join("\n"), [
    again(" once it can be read"),
  ]);
}
