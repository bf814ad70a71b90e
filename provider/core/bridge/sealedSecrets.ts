import type { Specified } from "../language/fields";
import {
  formatRecords,
  parseRecords,
  pendingInputs,
  RECORDS,
  type Records,
  withPendingInputs,
  writesIn,
} from "../state/records";
import { placeAsWritten, placeInBody, sealedPlaces } from "../state/sources";
import { asideOf, withAside } from "../value/aside";
import { formatPath, type Path, parsePath, valueAt, withPartAt } from "../value/path";
import { isSeal, isSealOf, type Sealing, type SecretSource, sealsIn } from "../value/sealing";
import type { Inputs } from "../value/unknown";
import type { Bag } from "./asideProperty";
import type { CallSecrets, SecretValues } from "./callSecrets";

/** The values of a call with fingerprints instead of secrets, and the conversion back. */
export class SealedSecrets implements CallSecrets {
  readonly problems = [];
  readonly values: SecretValues;
  readonly sealing: Sealing;
  /** The paths with a source in the program, in the compared form. */
  readonly #sourced: readonly Path[];
  /** Secrets without a fingerprint that must still be masked. */
  readonly #masked: readonly string[];
  readonly #records: Records | undefined;
  /** Cached, because computing a fingerprint is slow and most calls need none. */
  #search: { readonly open: readonly string[]; readonly usual: ReadonlySet<string> } | undefined;

  constructor(
    private readonly definition: Specified,
    sealing: Sealing,
    written: Inputs,
    {
      outputs,
      records,
      masked,
    }: { readonly outputs?: Inputs; readonly records?: Records; readonly masked: readonly string[] },
  ) {
    this.#masked = masked;
    this.#records = records;
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
    return [...this.sealing.secrets(), ...this.#masked];
  }

  isFingerprinted(value: unknown): boolean {
    if (typeof value !== "string" || value === "" || isSeal(value)) return false;
    this.#search ??= this.#newSearch();
    const { open, usual } = this.#search;
    return !usual.has(value) && open.some((seal) => isSealOf(seal, value));
  }

  /** The fingerprints without a known secret, and the texts that were recorded together with these. */
  #newSearch() {
    const { address, lastApplied, baseline } = this.#records ?? {};
    const known = this.known();
    const seals = [
      ...new Set(
        textsIn([this.values.inputs, lastApplied, pendingInputs(this.#records), baseline]).filter(isSeal),
      ),
    ];
    const open = seals.filter(
      (seal) => this.sealing.secretOf(seal) === undefined && !known.some((one) => isSealOf(seal, one)),
    );
    return { open, usual: new Set(textsIn([this.values.inputs, address, lastApplied, baseline])) };
  }

  inputs(inputs: Inputs): Inputs {
    const { sources = {}, ...aside } = asideOf(this.values.inputs);
    return withAside(this.#withSources(inputs, sources), { ...aside, ...asideOf(inputs), sources: {} });
  }

  outputs({ [RECORDS]: text, ...outputs }: Bag): Bag {
    const { sources = {} } = asideOf(this.values.inputs);
    const shown = withoutSeals(this.#openedBut(outputs, (path) => sources[formatPath(path)] !== undefined));
    if (typeof text !== "string") return shown;
    const records = parseRecords({ [RECORDS]: text });
    if (records === undefined) return { ...shown, [RECORDS]: text };
    const opened = this.#openedRecords(records);
    return { ...shown, [RECORDS]: opened === records ? text : formatRecords(opened) };
  }

  /** Records with fingerprints only for secrets that have a source in the program, or that are unknown here. */
  #openedRecords(records: Records): Records {
    const { definition } = this;
    const own = <V extends Inputs>(values: V) => {
      const { sources = {} } = asideOf(values);
      return this.#openedBut(values, (path) => sources[formatPath(path)] !== undefined);
    };
    const applied = own(records.lastApplied);
    const opened = withPendingInputs(records, own);
    const written = [applied, pendingInputs(opened) ?? {}];
    const sourced = new Set(
      [...this.#sourced, ...written.flatMap((each) => sealedPlaces(definition, each))].map(formatPath),
    );
    const model = <V extends object>(values: V) =>
      this.#openedBut(values, (path) => sourced.has(formatPath(path)));
    const settled = model(records.baseline);
    const seen = records.observed === records.baseline ? settled : model(records.observed);
    const isSame =
      applied === records.lastApplied &&
      pendingInputs(opened) === pendingInputs(records) &&
      settled === records.baseline &&
      seen === records.observed;
    return isSame ? records : { ...opened, lastApplied: applied, baseline: settled, observed: seen };
  }

  /** Replaces fingerprints with their known secrets, except at some paths. */
  #openedBut<V extends object>(values: V, isKept: (path: Path) => boolean): V {
    return sealsIn(values).reduce((all, path) => {
      const secret = isKept(path) ? undefined : this.sealing.secretOf(String(valueAt(all, path)));
      return secret === undefined ? all : withPartAt(all, path, secret);
    }, values);
  }

  /** The inputs as the program writes them: with sources where the program gives these, and without fingerprints. */
  #withSources(inputs: Inputs, sources: Readonly<Record<string, SecretSource>>): Inputs {
    const written = Object.entries(sources).reduce((all, [key, source]) => {
      const path = parsePath(key);
      return isSeal(valueAt(all, path)) ? withPartAt(all, path, source) : all;
    }, inputs);
    return withoutSeals(this.#openedBut(written, () => false));
  }
}

function bodyPlaces(definition: Specified, places: readonly Path[]): Path[] {
  return places.flatMap((place) => {
    const path = placeInBody(definition, place);
    return path === undefined ? [] : [path];
  });
}

/** The program's values, with fingerprints at these paths. */
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
  const settled = model(records.baseline);
  return {
    ...withPendingInputs(records, seal),
    lastApplied: seal(records.lastApplied),
    baseline: settled,
    observed: records.observed === records.baseline ? settled : model(records.observed),
  };
}

/** The paths of fingerprints in records, in the compared form. */
function sealsOf(definition: Specified, records: Records): Path[] {
  const { baseline, observed } = records;
  const written = writesIn(records).flatMap((each) => sealedPlaces(definition, each));
  return [...written, ...sealsIn(baseline), ...(observed === baseline ? [] : sealsIn(observed))];
}

/** Every string in a value. */
function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

function unique(paths: readonly Path[]): Path[] {
  return [...new Map(paths.map((path) => [formatPath(path), path])).values()];
}

/** A value without its fingerprints, which are not values for a reader. */
function withoutSeals<V extends object>(value: V): V {
  // Removing fingerprints does not change the type.
  return bare(value) as V;
}

function bare(value: unknown): unknown {
  if (sealsIn(value).length === 0) return value;
  if (Array.isArray(value)) return value.flatMap((part: unknown) => (isSeal(part) ? [] : [bare(part)]));
  return Object.entries(Object(value)).reduce<unknown>(
    (all, [name, part]) => withPartAt(all, [name], isSeal(part) ? undefined : bare(part)),
    value,
  );
}
