import { ActionableError, again } from "../http/remedies";
import type { Specified } from "../language/fields";
import type { Problem } from "../language/rules";
import { NoText } from "../requests/middleware/tokens/fromFile";
import type { ReadSource } from "../requests/secretSources";
import { parseRecords, type Records, UnreadableRecordsError, writesIn } from "../state/records";
import { sourcesIn } from "../state/sources";
import { asideOf, withAside } from "../value/aside";
import { formatPath, parsePath, valueAt, withPartAt } from "../value/path";
import {
  isSameSource,
  isSeal,
  newSalt,
  Sealing,
  type SecretSource,
  saltOf,
  sourceText,
} from "../value/sealing";
import { type Inputs, UNKNOWN } from "../value/unknown";
import { type CallSecrets, noSecrets, type SecretValues } from "./callSecrets";
import { SealedSecrets } from "./sealedSecrets";

/**
 * Prepares the secrets of a check: the inputs as if the program had written the secrets itself. A secret that cannot be read
 * is unknown, and reported as a problem.
 */
export async function openedForCheck(
  definition: Specified,
  values: SecretValues,
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
 * Prepares the secrets of a step: replaces each external secret in the inputs and in the records with its fingerprint. If a
 * secret cannot be read, its recorded fingerprint applies, provided that its source is unchanged.
 * @param reads true to read the secrets of these inputs; false to use the recorded fingerprints
 * @throws ActionableError for secrets that cannot be read and are not on record
 */
export async function sealedForStep(
  definition: Specified,
  values: SecretValues,
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
  // Secrets that are only on record are not needed, but messages must not contain them.
  const masked: string[] = [];
  for (const source of Object.values(along)) {
    const secret = await readOr(read, source, () => undefined);
    if (secret !== undefined) masked.push(secret);
  }
  return new SealedSecrets(definition, sealing, withAside(inputs, { ...asideOf(inputs), sources }), {
    ...values,
    ...(records && { records }),
    masked,
  });
}

/** The recorded source of a secret, and the fingerprint of its value. */
interface OnRecord {
  readonly source: SecretSource;
  readonly seal: string;
}

function sourcesOnRecord(records: Records | undefined): ReadonlyMap<string, OnRecord> {
  return new Map(
    [...writesIn(records)].reverse().flatMap((written) =>
      Object.entries(asideOf(written).sources ?? {}).flatMap(([key, source]) => {
        const seal = valueAt(written, parsePath(key));
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

/** The records, if they are readable. Otherwise, the step itself reports the error. */
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

function missing(problems: readonly Problem[]): ActionableError {
  return new ActionableError(problems.map(({ path, reason }) => `${path}: ${reason}`).join("\n"), [
    again(" once it can be read"),
  ]);
}
