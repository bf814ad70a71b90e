/** By what a request is known: to us, and where its service says one, to that. */
export interface RequestIds {
  /** One for all tries of a request; it goes with each as `X-Request-Id`. */
  readonly own: string;
  /** The service's own, as its last answer says it; masked. */
  readonly service?: string;
}

/** So much of an id of ours stands in a message: enough to find it in a log. */
const SHOWN = 8;

/** What stands at the end of a message: ` (request 1b9d6bcd, the service's own 7f3c…)`. */
export function idsText(ids: RequestIds | undefined): string {
  if (ids === undefined) return "";
  const service = ids.service === undefined ? "" : `, the service's own ${ids.service}`;
  return ` (request ${ids.own.slice(0, SHOWN)}${service})`;
}

const TOLD = / \(request [0-9a-f]{8}(, the service's own [^()\s]+)?\)/g;

/** A message without the ids in it: the same whenever the same goes wrong. */
export function withoutIds(text: string): string {
  return text.replace(TOLD, "");
}

/** The longest id of a service's that is told. */
const LONGEST = 128;

/** An id as a service says it, if it is one: a word, and none of ours that it only gives back. */
export function serviceId(said: unknown, own: string): string | undefined {
  if (typeof said !== "string" || said === own || said.length > LONGEST) return undefined;
  return /^[\w.:/+=@-]+$/.test(said) ? said : undefined;
}
