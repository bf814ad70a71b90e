import { isObject, type Json } from "../../provider/core/value/json";
import { archiveOf } from "./archive";

/** One request to a server, and what it answered, without what is different every time. */
export interface Exchange {
  /** What is asked, in words. */
  readonly about: string;
  readonly method: string;
  /** `{name}` stands for what an earlier answer gave, which may be a URL. */
  readonly path: string;
  readonly body?: Json;
  /** A body as it travels, where it is no JSON. */
  readonly text?: string;
  /** The `main.tf` of the archive that is the body. */
  readonly configuration?: string;
  /** Values of the server (`more`) without which it is not sent. */
  readonly needs?: Readonly<Record<string, string>>;
  /** Who asks: an administrator, somebody with a token that does not exist, or somebody without one. */
  readonly as?: "stranger" | "nobody";
  /** A member that the answer has once the server got so far; it is asked again until then, for a while. */
  readonly until?: string;
  /** The status of the answer's resource once the server got so far; it is asked again until then, for a while. */
  readonly untilStatus?: string;
  /** What is kept of the answer for later requests: names, and where they stand in it. */
  readonly keep?: Readonly<Record<string, readonly string[]>>;
}

/** What a server answered. */
export interface Answered {
  readonly status: number;
  readonly type: string;
  /** Its body: JSON without volatile values, or text. */
  readonly body: Json;
}

/** An exchange that was recorded. */
interface Recorded extends Exchange {
  readonly answered: Answered;
  /** The version of the server if it is not that of the other exchanges. */
  readonly server?: string;
}

/** The exchanges of one server, as `tests/recorded/<server>.json` holds them. */
export interface Recording {
  readonly server: string;
  readonly exchanges: readonly Recorded[];
}

/** Puts what was kept in the place of its name. */
export function filledIn<T extends Json | undefined>(value: T, kept: ReadonlyMap<string, string>): T {
  if (value === undefined) return value;
  const text = JSON.stringify(value).replace(/\{(\w+)\}/g, (whole, name: string) => kept.get(name) ?? whole);
  // What was JSON is JSON.
  return JSON.parse(text) as T;
}

/** Whether an answer shows the status for which its exchange waits. */
export function hasStatus({ untilStatus }: Exchange, text: string): boolean {
  const json = jsonIn(text);
  const data = isObject(json) && isObject(json.data) ? json.data : {};
  return isObject(data.attributes) && data.attributes.status === untilStatus;
}

/** The body of an exchange as it travels; undefined if it has none. */
export function bodyOf({ body, text, configuration }: Exchange): string | Buffer | undefined {
  if (configuration !== undefined) return archiveOf(configuration);
  return text ?? (body === undefined ? undefined : JSON.stringify(body));
}

/** Whether a server has what an exchange needs. */
export function isSendable({ needs = {} }: Exchange, more: Readonly<Record<string, string>>): boolean {
  return Object.entries(needs).every(([name, value]) => more[name] === value);
}

/** What an answer gives to later requests. */
export function keepOf({ keep = {} }: Exchange, body: Json, kept: Map<string, string>): void {
  for (const [name, path] of Object.entries(keep)) {
    const value = path.reduce<Json | undefined>((at, step) => {
      if (Array.isArray(at)) return at[Number(step)];
      return isObject(at) ? at[step] : undefined;
    }, body);
    if (value === undefined || value === null) throw new Error(`the answer has no ${path.join(".")}`);
    kept.set(name, String(value));
  }
}

/** An answer without what is different every time. */
export function steady(status: number, type: string | undefined, text: string): Answered {
  const kind = (type ?? "").split(";")[0]?.trim() ?? "";
  const parsed = jsonIn(text);
  return {
    status,
    type: text === "" ? "" : kind,
    body: parsed === undefined ? words(text) : leaf(parsed, ""),
  };
}

export function jsonIn(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

function leaf(value: Json, name: string): Json {
  if (Array.isArray(value)) return value.map((element) => leaf(element, name));
  if (isObject(value)) {
    const steadied = Object.entries(value).map(([key, member]) => [key, leaf(member, key)] as const);
    // The short ID of a namespace is random.
    return Object.fromEntries(
      steadied.map(([key, member]) => [key, key === "id" && "uuid" in value ? "<id>" : member]),
    );
  }
  if (typeof value === "string") return VOLATILE.test(name) && value !== "" ? "<volatile>" : words(value);
  if (typeof value === "number" && VOLATILE.test(name)) return "<number>";
  return value;
}

/** Members whose values nobody can foresee. */
const VOLATILE =
  /Index$|Time$|^Hash$|^(password|request_id|lease_id|namespace_path|last_vault_rotation|ttl_left|nonce|verification_nonce|keys_base64|creation_time|last_password|EvalID|Status|State|HostPath|Queued|created-at|updated-at|latest-change-at)$/;

/** Text without IDs, times and ports. */
function words(text: string): string {
  return (
    text
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "<uuid>")
      .replace(/^\w+_[0-9a-f]{8}$/, "<accessor>")
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)/g, "<time>")
      .replace(
        /\b(ws|user|org|sshkey|apool|tag|varset|var|rt|nc|sv|wsout|at|vcs|cv|run|plan|apply)-[A-Za-z0-9]{16}\b/g,
        "$1-<id>",
      )
      .replace(/\/signed\/[^/]{1,200}/g, "/signed/<signature>")
      .replace(/\beyJ[\w-]{1,2000}\.[\w-]{1,2000}\.[\w-]{1,2000}/g, "<token>")
      .replace(/v_\w+_[A-Za-z0-9]{10}_\d{10}/g, "<username>")
      .replace(/\b[0-9a-f]{64,66}\b/g, "<share>")
      .replace(/127\.0\.0\.1:\d+/g, "<address>")
      // How it begins depends on the release of the language that the server was built with.
      .replace(/(into Go struct field )\w*\./, "$1.")
      .replace(/job modify index: \d+/g, "job modify index: <number>")
  );
}
