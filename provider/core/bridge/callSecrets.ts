import { ActionableError, again } from "../http/remedies";
import type { Specified } from "../language/fields";
import type { Problem } from "../language/rules";
import { NoText, type ReadSource } from "../requests/secretSources";
import { type Records, readableRecords, writesIn } from "../state/records";
import { sourcesIn } from "../state/sources";
import {
  Fingerprints,
  isFingerprint,
  isSameSource,
  newSalt,
  type SecretSource,
  saltOf,
  sourceText,
} from "../value/fingerprint";
import { formatPath, parsePath, valueAt, withPartAt } from "../value/path";
import { metadataOf, withMetadata } from "../value/programInputs";
import { UNKNOWN } from "../value/unknown";
import { type CallSecrets, FingerprintedSecrets, type SecretValues } from "./fingerprintedSecrets";

/** For a call whose program writes all of its secrets. */
export function noSecrets(values: SecretValues): CallSecrets {
  return {
    values,
    problems: [],
    knownSecrets: () => [],
    isFingerprinted: () => false,
    inputs: (own) => own,
    outputs: (own) => own,
  };
}

/**
 * Prepares the secrets of a check: the inputs as if the program had written the secrets itself. A secret that cannot be read
 * is unknown, and reported as a problem.
 */
export async function secretsForCheck(
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
    const secret = await read(source).catch(noText);
    const isRead = typeof secret === "string";
    if (isRead) secrets.push(secret);
    else problems.push({ path: formatPath(path), reason: reasonOf(source, secret) });
    inputs = withPartAt(inputs, path, isRead ? secret : UNKNOWN);
  }
  return {
    ...noSecrets({ ...values, inputs }),
    problems,
    knownSecrets: () => secrets,
    inputs: (own) => sourced.reduce((all, { path, source }) => withPartAt(all, path, source), own),
  };
}

/**
 * Prepares the secrets of a step: replaces each external secret in the inputs and in the records with its fingerprint. If a
 * secret cannot be read, its recorded fingerprint applies, provided that its source is unchanged.
 * @param reads true to read the secrets of these inputs; false to use the recorded fingerprints
 * @throws ActionableError for secrets that cannot be read and are not on record
 */
export async function secretsForStep(
  definition: Specified,
  values: SecretValues,
  read: ReadSource,
  reads = true,
): Promise<CallSecrets> {
  const records = readableRecords(values.outputs);
  const sourced = sourcesIn(definition, values.inputs);
  const { secretSources: along } = metadataOf(values.inputs);
  const recorded = sourcesOnRecord(records);
  if (sourced.length === 0 && Object.keys(along).length === 0 && recorded.size === 0)
    return noSecrets(values);
  const [first] = recorded.values();
  const fingerprints = new Fingerprints(first ? saltOf(first.fingerprint) : newSalt());
  const problems: Problem[] = [];
  const sources: Record<string, SecretSource> = { ...along };
  let { inputs } = values;
  for (const { path, source } of sourced) {
    const key = formatPath(path);
    sources[key] = source;
    const known = recorded.get(key);
    const earlier = known && isSameSource(known.source, source) ? known.fingerprint : undefined;
    const secret = reads || earlier === undefined ? await read(source).catch(noText) : undefined;
    if (secret instanceof NoText && earlier === undefined)
      problems.push({ path: key, reason: reasonOf(source, secret) });
    inputs = withPartAt(inputs, path, typeof secret === "string" ? fingerprints.add(secret) : earlier);
  }
  if (problems.length > 0)
    throw new ActionableError(problems.map(({ path, reason }) => `${path}: ${reason}`).join("\n"), [
      again(" once the secret can be read"),
    ]);
  // Secrets that are only on record are not needed, but messages must not contain them.
  const masked: string[] = [];
  for (const source of Object.values(along)) {
    const secret = await read(source).catch(noText);
    if (typeof secret === "string") masked.push(secret);
  }
  const written = withMetadata(inputs, { secretSources: sources });
  return new FingerprintedSecrets(definition, fingerprints, written, values.outputs, records, masked);
}

/** The recorded sources of secrets, and the fingerprints of the secrets, by path. */
function sourcesOnRecord(records: Records | undefined) {
  return new Map(
    [...writesIn(records)].reverse().flatMap((written) =>
      Object.entries(metadataOf(written).secretSources).flatMap(([key, source]) => {
        const fingerprint = valueAt(written, parsePath(key));
        return isFingerprint(fingerprint) ? [[key, { source, fingerprint }] as const] : [];
      }),
    ),
  );
}

/** Why a secret cannot be read. @throws any other error */
function noText(error: unknown): NoText {
  if (error instanceof NoText) return error;
  throw error;
}

function reasonOf(source: SecretSource, { message: why }: NoText): string {
  const way =
    "fromEnv" in source
      ? "set the variable in the environment of the Pulumi engine"
      : "create the file, or correct the path (relative to the program's folder)";
  return `${sourceText(source)}: ${why}: ${way}`;
}
