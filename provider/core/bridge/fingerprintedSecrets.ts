import type { Model } from "../diff/models";
import type { Specified } from "../language/fields";
import type { KnownInputs } from "../language/object";
import type { Problem } from "../language/rules";
import {
  formatRecords,
  parseRecords,
  pendingInputs,
  RECORDS,
  type Records,
  writesIn,
} from "../state/records";
import { fingerprintedPlaces, placeAsWritten, placeInBody } from "../state/sources";
import {
  type Fingerprints,
  fingerprintsIn,
  isFingerprint,
  matchesFingerprint,
  replaceFingerprints,
} from "../value/fingerprint";
import { formatPath, type Path } from "../value/path";
import {
  metadataFromJson,
  metadataOf,
  metadataToJson,
  type ProgramInputs,
  withMetadata,
} from "../value/programInputs";
import type { Inputs } from "../value/unknown";
import type { Bag } from "./engineValues";

/** The values of a call that may contain secrets. */
export interface SecretValues {
  readonly inputs: ProgramInputs;
  readonly outputs?: Inputs;
}

/** The secrets of a call that its program does not write itself. */
export interface CallSecrets {
  /** The values for the steps. */
  readonly values: SecretValues;
  /** The fingerprints of the secrets; undefined if there are no such secrets. */
  readonly fingerprints?: Fingerprints;
  /** The secrets that cannot be read. */
  readonly problems: readonly Problem[];
  /** Every secret that is known so far. */
  knownSecrets(): readonly string[];
  /** True if a value that is new since the last write is a secret known only by its fingerprint. */
  isFingerprinted(value: unknown): boolean;
  /** Inputs for the state. */
  inputs(inputs: Inputs): Inputs;
  /** Outputs for the state. */
  outputs(outputs: Bag): Bag;
}

/** The values of a call with fingerprints instead of secrets, and the conversion back. */
export class FingerprintedSecrets implements CallSecrets {
  readonly problems = [];
  readonly values: SecretValues;
  readonly fingerprints: Fingerprints;
  /** The paths with a source in the program, in the compared form. */
  readonly #sourced: readonly Path[];
  /** Cached, because computing a fingerprint is slow and most calls need none. */
  #search: { readonly open: readonly string[]; readonly usual: ReadonlySet<string> } | undefined;

  /** @param masked secrets without a fingerprint that must still be masked */
  constructor(
    private readonly definition: Specified,
    fingerprints: Fingerprints,
    written: ProgramInputs,
    outputs: Inputs | undefined,
    private readonly records: Records | undefined,
    private readonly masked: readonly string[],
  ) {
    this.#sourced = fingerprintedPlaces(definition, written);
    const places = unique([
      ...this.#sourced,
      ...(records ? fingerprintedInRecords(definition, records) : []),
    ]);
    const hide = <V extends Inputs>(values: V) =>
      places.reduce((all, place) => fingerprints.hideAt(all, placeAsWritten(definition, all, place)), values);
    const hideInModel = <V extends object>(model: V) =>
      places.reduce((all, place) => fingerprints.hideAt(all, place), model);
    const text = records && formatRecords(mapRecords(records, hide, hideInModel));
    this.values = {
      inputs: hide(written),
      ...(outputs && { outputs: text === undefined ? outputs : { ...outputs, [RECORDS]: text } }),
    };
    const inBody = places.map((place) => placeInBody(definition, place));
    this.fingerprints = fingerprints.at(inBody.filter((path) => path !== undefined));
  }

  knownSecrets(): readonly string[] {
    return [...this.fingerprints.secrets(), ...this.masked];
  }

  isFingerprinted(value: unknown): boolean {
    if (typeof value !== "string" || value === "" || isFingerprint(value)) return false;
    this.#search ??= this.#newSearch();
    const { open, usual } = this.#search;
    return !usual.has(value) && open.some((fingerprint) => matchesFingerprint(fingerprint, value));
  }

  /** The fingerprints without a known secret, and the texts that were recorded together with these. */
  #newSearch() {
    const { address, lastApplied, baseline } = this.records ?? {};
    const known = this.knownSecrets();
    const texts = textsIn([this.values.inputs, lastApplied, pendingInputs(this.records), baseline]);
    const open = [...new Set(texts.filter(isFingerprint))].filter(
      (fingerprint) =>
        this.fingerprints.secretOf(fingerprint) === undefined &&
        !known.some((one) => matchesFingerprint(fingerprint, one)),
    );
    return { open, usual: new Set(textsIn([this.values.inputs, address, lastApplied, baseline])) };
  }

  inputs(inputs: Inputs): Inputs {
    const { secretSources: sources } = metadataOf(this.values.inputs);
    const written = replaceFingerprints(
      inputs,
      (fingerprint, path) => sources[formatPath(path)] ?? this.fingerprints.secretOf(fingerprint),
    );
    // Inputs that a step made anew have no metadata of their own.
    const metadata = { ...metadataToJson(this.values.inputs), ...metadataToJson(inputs), sources: {} };
    return withMetadata(written, metadataFromJson(metadata));
  }

  outputs({ [RECORDS]: text, ...outputs }: Bag): Bag {
    const { secretSources: sources } = metadataOf(this.values.inputs);
    const shown = replaceFingerprints(outputs, (fingerprint, path) =>
      sources[formatPath(path)] === undefined ? this.fingerprints.secretOf(fingerprint) : undefined,
    );
    if (typeof text !== "string") return shown;
    const records = parseRecords({ [RECORDS]: text });
    const opened = records && this.#openedRecords(records);
    return { ...shown, [RECORDS]: opened === undefined || opened === records ? text : formatRecords(opened) };
  }

  /** Records with fingerprints only for secrets that have a source in the program, or that are unknown here. */
  #openedRecords(records: Records): Records {
    const revealFingerprints = <V extends object>(values: V, isSourced: (path: string) => boolean) =>
      replaceFingerprints(values, (fingerprint, path) =>
        isSourced(formatPath(path)) ? fingerprint : (this.fingerprints.secretOf(fingerprint) ?? fingerprint),
      );
    const ofInputs = (values: Records["lastApplied"]) => {
      const { secretSources: sources } = metadataOf(values);
      return revealFingerprints(values, (path) => sources[path] !== undefined);
    };
    const written = writesIn(records).map(ofInputs);
    const sourced = [
      ...this.#sourced,
      ...written.flatMap((each) => fingerprintedPlaces(this.definition, each)),
    ].map(formatPath);
    return mapRecords(records, ofInputs, (model) =>
      revealFingerprints(model, (path) => sourced.includes(path)),
    );
  }
}

/** Records with other inputs and models. Returns the same records if no part changes. */
function mapRecords(
  records: Records,
  ofInputs: (inputs: KnownInputs) => KnownInputs,
  ofModel: (model: Model) => Model,
): Records {
  const { lastApplied, baseline, observed, pending } = records;
  const applied = ofInputs(lastApplied);
  const settled = ofModel(baseline);
  const seen = observed === baseline ? settled : ofModel(observed);
  const own = pending && "inputs" in pending ? ofInputs(pending.inputs) : undefined;
  const isSame =
    applied === lastApplied && settled === baseline && seen === observed && own === pendingInputs(records);
  if (isSame) return records;
  const open = pending && own ? { pending: { ...pending, inputs: own } } : {};
  return { ...records, ...open, lastApplied: applied, baseline: settled, observed: seen };
}

/** The paths of fingerprints in records, in the compared form. */
function fingerprintedInRecords(definition: Specified, records: Records): Path[] {
  const { baseline, observed } = records;
  const written = writesIn(records).flatMap((each) => fingerprintedPlaces(definition, each));
  return [
    ...written,
    ...fingerprintsIn(baseline),
    ...(observed === baseline ? [] : fingerprintsIn(observed)),
  ];
}

/** Every string in a value. */
function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

function unique(paths: readonly Path[]): Path[] {
  return [...new Map(paths.map((path) => [formatPath(path), path])).values()];
}
