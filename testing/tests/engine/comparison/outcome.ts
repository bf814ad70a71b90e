import type { EngineEvent, OpMap } from "@pulumi/pulumi/automation";
import { withRecordsUnpacked } from "../../../../tests/stack/ownRecords";

/** The compared outcome of one command, without times, generated IDs, ciphertexts and source positions. */
export interface Outcome {
  readonly command: string;
  /** The operations on each resource in the order of their events; a failed operation ends in `!`. */
  readonly operations: Readonly<Record<string, readonly string[]>>;
  readonly changes: OpMap | undefined;
  readonly diagnostics: readonly string[];
  /** The unique lines of standard output, without times. */
  readonly display: readonly string[];
  /** The exit code and the errors of standard error. */
  readonly failed?: readonly string[];
  readonly outputs?: unknown;
  /** The calls to the plugin of the case; absent if there were none. */
  readonly calls?: unknown;
  /** The state and the content of the service; absent if the command did not change them. */
  readonly stored?: unknown;
}

/** Replaces text that differs between runs and between machines. */
export class Normalizer {
  private readonly providerIds = new Map<string, string>();

  /** `places` are paths, longest first, with their placeholders. */
  constructor(private readonly locations: readonly (readonly [string, string])[]) {}

  text(text: string): string {
    let result = text;
    for (const [path, name] of this.locations) result = result.replaceAll(path, name);
    return result
      .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, (id) => this.name(id))
      .replaceAll(/127\.0\.0\.1:\d+/g, "<address>");
  }

  value(value: unknown): unknown {
    if (typeof value === "string") return this.text(value);
    if (Array.isArray(value)) return value.map((element) => this.value(element));
    if (typeof value !== "object" || value === null) return value;
    const entries = Object.entries(value).map(([key, one]) => [this.text(key), this.value(one)] as const);
    return Object.fromEntries(entries.sort(([left], [right]) => (left < right ? -1 : 1)));
  }

  private name(id: string): string {
    if (id === "04da6b54-80e4-46f7-96ec-b56ff0331ba9") return "<unknown>";
    const known = this.providerIds.get(id) ?? `<id ${this.providerIds.size + 1}>`;
    this.providerIds.set(id, known);
    return known;
  }
}

/** `urn:pulumi:dev::comparison::a$b::name` without the common prefix. */
export const short = (urn: string): string => urn.replace(/^urn:pulumi:\w+::comparison::/, "");

export function operationsOf(events: readonly EngineEvent[]): Record<string, string[]> {
  const operations: Record<string, string[]> = {};
  const note = (urn: string, text: string) => {
    operations[short(urn)] = [...(operations[short(urn)] ?? []), text];
  };
  for (const { resourcePreEvent, resOutputsEvent, resOpFailedEvent } of events) {
    if (resourcePreEvent) {
      const { op, urn, keys, diffs } = resourcePreEvent.metadata;
      const why = [
        ...(keys ?? []).map((key) => `key ${key}`),
        ...(diffs ?? []).map((diff) => `diff ${diff}`),
      ];
      note(urn, [op, ...why].join(" "));
    }
    if (resOutputsEvent) note(resOutputsEvent.metadata.urn, `${resOutputsEvent.metadata.op}.`);
    if (resOpFailedEvent) note(resOpFailedEvent.metadata.urn, `${resOpFailedEvent.metadata.op}!`);
  }
  return operations;
}

export function diagnosticsOf(events: readonly EngineEvent[]): string[] {
  return (
    events
      .flatMap(({ diagnosticEvent }) => (diagnosticEvent ? [diagnosticEvent] : []))
      // Debug messages of the SDK depend on its version.
      .filter(({ severity }) => (severity as string) !== "debug")
      .map(({ severity, urn = "", message }) => `${severity} [${short(urn)}] ${message.trimEnd()}`)
      .filter((text) => !FRAME.test(text))
      .sort()
  );
}

/** A line of a stack trace. Stack traces depend on the version of Node.js and on the source code. */
const FRAME = / at .*:\d+:\d+\)?$/;

/** The lines that the CLI prints while it waits. */
const SPINNER = /^@ [a-z ]+\.+$/;

export function displayOf(output: string): string[] {
  const lines = output
    .split("\n")
    .map((line) =>
      line
        .replaceAll(/ ?\(\d+(\.\d+)?s\)/g, "")
        .replace(/\d+ messages?$/, "messages")
        .trimEnd(),
    )
    .filter((line) => line !== "" && !line.startsWith("Duration:") && !SPINNER.test(line))
    .filter((line) => !FRAME.test(line));
  return [...new Set(lines)].sort();
}

export function failureOf(error: unknown): string[] {
  const text = String(error);
  const code = /exit code \d+/.exec(text)?.[0] ?? text;
  return [code, ...new Set([...text.matchAll(/^error: .*$/gm)].map(([line]) => line))];
}

export interface ExportedResource {
  readonly urn: string;
  readonly id?: string;
  readonly outputs?: Record<string, unknown>;
  readonly delete?: boolean;
  readonly created?: unknown;
  readonly modified?: unknown;
  readonly sourcePosition?: unknown;
  readonly stackTrace?: unknown;
}

/** The compared part of the output of `stack export`. */
export interface ExportedDeployment {
  readonly resources?: readonly ExportedResource[];
  pending_operations?: readonly { readonly resource: ExportedResource; readonly type: string }[];
}

/** The resources of an exported stack, in an order that does not depend on the order of operations. */
export function stateOf({ resources = [], pending_operations = [] }: ExportedDeployment): unknown {
  const comparedPart = ({
    created: _c,
    modified: _m,
    sourcePosition: _p,
    stackTrace: _t,
    ...rest
  }: ExportedResource) => withoutTimes(withRecordsUnpacked(rest));
  const key = (resource: ExportedResource) => `${resource.urn} ${resource.delete ?? false}`;
  const sorted = [...resources].sort((left, right) => (key(left) < key(right) ? -1 : 1));
  const pending = pending_operations.map(({ resource, type }) => ({
    resource: comparedPart(resource),
    type,
  }));
  return { resources: sorted.map(comparedPart), ...(pending.length > 0 && { pending }) };
}

/** Removes the submit time of a job from the records of our plugin, because it differs between runs. */
function withoutTimes<T>(resource: T): T {
  return JSON.parse(JSON.stringify(resource).replace(/(stamp[\\"]*:[\\"]*\d+ )\d+/g, "$1then"));
}
