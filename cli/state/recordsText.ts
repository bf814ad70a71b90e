import type { Bag } from "../../provider/core/bridge/engineValues";
import { stateOf } from "../../provider/core/bridge/records";
import { plainModel } from "../../provider/core/diff/models";
import { type AnyDefinition, hasLifecycle } from "../../provider/core/language/resource";
import { conflictsSince } from "../../provider/core/state/changes";
import { driftTable } from "../../provider/core/state/conflictTable";
import { type Pending, pendingInputs, type Records, recordsOf } from "../../provider/core/state/records";
import { redactorOf, secretMapOf } from "../../provider/core/state/redaction";
import { SecretMap } from "../../provider/core/state/secretMap";
import { sourceText } from "../../provider/core/value/fingerprint";
import { equalJson, formatJson, isObject, type Json } from "../../provider/core/value/json";
import { formatPath, type Path } from "../../provider/core/value/path";
import { metadataOf } from "../../provider/core/value/programInputs";
import type { Inputs } from "../../provider/core/value/unknown";

/** Records as text, with secrets masked. */
export interface RecordsText {
  /** The object's location, its revision and its pending work, one sentence each. */
  readonly told: readonly string[];
  readonly sections: readonly { readonly what: string; readonly lines: readonly string[] }[];
}

/**
 * Describes the records of a resource; undefined if its outputs contain none.
 * @throws UnreadableRecordsError if the records cannot be read
 */
export function describeRecords(definition: AnyDefinition, outputs: Bag): RecordsText | undefined {
  const state = stateOf(definition, outputs).values;
  const records = recordsOf(definition, state);
  if (records === undefined) return undefined;
  const { lastApplied, baseline, procedure } = records;
  const attempted = pendingInputs(records);
  const redactor = redactorOf(definition, lastApplied, state);
  const secrecy = secretMapOf(definition, lastApplied, redactor, attempted);
  const differing = Object.fromEntries(
    Object.entries(plainModel(baseline)).filter(([name, value]) => !equalJson(value, lastApplied[name])),
  );
  const lines = (inputs: Inputs, values: Readonly<Record<string, unknown>>) =>
    Object.entries(values).map(([name, value]) => {
      const source = metadataOf(inputs).secretSources[name];
      if (source !== undefined) return `${name}: ${sourceText(source)}`;
      // Records contain only JSON.
      const text = formatJson(maskValue(definition, inputs, [name], value as Json));
      return `${name}: ${redactor.mask(text)}`;
    });
  const sections = [
    { what: "last applied", lines: lines(lastApplied, lastApplied) },
    { what: "other values on the server after the last write", lines: lines(lastApplied, differing) },
    { what: "changed outside this stack since then", lines: driftLines(definition, records, secrecy) },
    { what: "write with unknown outcome", lines: lines(lastApplied, attempted ?? {}) },
    {
      what: "values of the procedure, which may be secret",
      lines: Object.keys(procedure ?? {}).map((name) => `${name}: [secret]`),
    },
  ];
  return {
    told: sentences(records).map((text) => redactor.mask(text)),
    sections: sections.filter((section) => section.lines.length > 0),
  };
}

const PENDING: Readonly<Record<Pending["kind"], readonly string[]>> = {
  create: ["outcome unknown: a write was sent, and no response arrived"],
  update: ["outcome unknown: a write was sent, and no response arrived"],
  unverified: ["unverified: the last write was applied, and the object could not be read afterward"],
  incomplete: [],
};

function sentences({ address, revision, pending }: Records): string[] {
  const parts = Object.entries(address).flatMap(([name, part]) =>
    part === undefined ? [] : [`${name} ${part}`],
  );
  return [
    ...(parts.length > 0 ? [`location: ${parts.join(", ")}`] : []),
    ...(revision === undefined ? [] : [`last seen at index ${revision}`]),
    ...(pending === undefined ? [] : [...PENDING[pending.kind], `incomplete: ${pending.reason}`]),
  ];
}

function driftLines(
  definition: AnyDefinition,
  records: Records,
  secrecy: Parameters<typeof driftTable>[1],
): string[] {
  const { lastApplied, baseline, observed } = records;
  if (observed === baseline || !hasLifecycle(definition, "object")) return [];
  const differences = conflictsSince(definition, { ...records, observed: baseline }, lastApplied, observed);
  return differences.length === 0 ? [] : driftTable(differences, secrecy).map((line) => line.trim());
}

function maskValue(definition: AnyDefinition, inputs: Inputs, path: Path, value: Json): Json {
  const source = metadataOf(inputs).secretSources[formatPath(path)];
  if (source !== undefined) return sourceText(source);
  if (new SecretMap(definition, inputs).isWithinSecret(path))
    return value === "" || value === null ? value : "[secret]";
  if (Array.isArray(value))
    return value.map((part, index) => maskValue(definition, inputs, [...path, index], part));
  if (!isObject(value)) return value;
  const members = Object.entries(value);
  return Object.fromEntries(
    members.map(([name, part]) => [name, maskValue(definition, inputs, [...path, name], part)]),
  );
}
