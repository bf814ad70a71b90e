import { isDeepStrictEqual } from "node:util";
import { isObject, ownOf } from "../../../json";
import { fieldDiffs } from "./fields";
import type { DiffType, ObjectDiff } from "./records";

type Document = Readonly<Record<string, unknown>>;

/** A document's members for a diff: plain fields and nested objects. */
export interface Parts {
  readonly plain: Document;
  readonly objects: Document;
}

/** User-defined maps count as plain fields; lists and everything else nested are objects. */
export function partsOf(document: Document | undefined, without: ReadonlySet<string> = new Set()): Parts {
  const entries = Object.entries(document ?? {}).filter(([name]) => !without.has(name));
  const isPlain = ([name, value]: [string, unknown]) =>
    USER_MAPS.has(name) || !(isObject(value) || Array.isArray(value));
  return {
    plain: Object.fromEntries(entries.filter(isPlain)),
    objects: Object.fromEntries(entries.filter((entry) => !isPlain(entry))),
  };
}

const USER_MAPS = new Set(["Meta", "Env", "GetterOptions", "GetterHeaders", "CanaryMeta", "TaggedAddresses"]);

/** The differences of every object of a document, by name. */
export function objectDiffs(before: Document, after: Document): readonly ObjectDiff[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return names.flatMap((name) => diffsOf(name, ownOf(before, name) ?? null, ownOf(after, name) ?? null));
}

function diffsOf(name: string, before: unknown, after: unknown): readonly ObjectDiff[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (Array.isArray(before) || Array.isArray(after)) return listDiffs(name, asList(before), asList(after));
  return [objectDiff(name, asDocument(before), asDocument(after))];
}

/** A list of strings yields one object; a list of objects yields one for each object that only one side has. */
function listDiffs(
  name: string,
  before: readonly unknown[],
  after: readonly unknown[],
): readonly ObjectDiff[] {
  if (![...before, ...after].every(isObject)) return [wordsDiff(name, before.map(String), after.map(String))];
  const gone = before.filter((item) => !after.some((other) => isDeepStrictEqual(item, other)));
  const added = after.filter((item) => !before.some((other) => isDeepStrictEqual(item, other)));
  const label = ownOf(SINGULAR, name) ?? name;
  return [
    ...gone.map((item) => objectDiff(label, asDocument(item), undefined)),
    ...added.map((item) => objectDiff(label, undefined, asDocument(item))),
  ];
}

const SINGULAR: Readonly<Record<string, string>> = {
  Constraints: "Constraint",
  Affinities: "Affinity",
  Spreads: "Spread",
  Networks: "Network",
  Services: "Service",
  Checks: "Check",
  Templates: "Template",
  Artifacts: "Artifact",
  VolumeMounts: "VolumeMount",
  Devices: "Device",
  DynamicPorts: "Dynamic Port",
  ReservedPorts: "Static Port",
  Actions: "Action",
  Identities: "Identity",
  SecretBlocks: "Secret",
  Secrets: "Secret",
};

function wordsDiff(name: string, before: readonly string[], after: readonly string[]): ObjectDiff {
  const words = [...new Set([...before, ...after])].sort();
  const Fields = words.map((word) => ({
    Type: typeOf(before.includes(word), after.includes(word), false),
    Name: name,
    Old: before.includes(word) ? word : "",
    New: after.includes(word) ? word : "",
    Annotations: null,
  }));
  return { Type: typeOf(before.length > 0, after.length > 0, true), Name: name, Fields, Objects: null };
}

function objectDiff(name: string, before: Document | undefined, after: Document | undefined): ObjectDiff {
  // A driver's configuration is one flat object, however deep.
  const [old, next] =
    name === "Config" || name === "Secret"
      ? [
          { plain: before ?? {}, objects: {} },
          { plain: after ?? {}, objects: {} },
        ]
      : [partsOf(before), partsOf(after)];
  return {
    Type: typeOf(before !== undefined, after !== undefined, true),
    Name: name,
    Fields: orNull(fieldDiffs(old.plain, next.plain, true)),
    Objects: orNull(objectDiffs(old.objects, next.objects)),
  };
}

/** Added, deleted, or on both sides; in the last case `differs` decides. */
export function typeOf(before: boolean, after: boolean, differs: boolean): DiffType {
  if (before && after) return differs ? "Edited" : "None";
  return before ? "Deleted" : "Added";
}

/** Empty lists are null on the wire. */
export function orNull<Item>(items: readonly Item[]): readonly Item[] | null {
  return items.length === 0 ? null : items;
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function asDocument(value: unknown): Document | undefined {
  return isObject(value) ? value : undefined;
}
