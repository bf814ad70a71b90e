import { serverError } from "./errors";
import type { Kind } from "./kinds/define";
import type { Written } from "./operation";

const GREATEST = 2n ** 64n - 1n;

/** The index that a write requires; undefined for an unconditional write, although the table lists a default. */
export function readCheckAndSet(query: URLSearchParams): bigint | undefined {
  const text = query.get("cas") ?? "";
  if (text === "") return undefined;
  const quoted = JSON.stringify(text);
  if (!/^\d+$/.test(text)) throw serverError(`strconv.ParseUint: parsing ${quoted}: invalid syntax`);
  const index = BigInt(text);
  if (index > GREATEST) throw serverError(`strconv.ParseUint: parsing ${quoted}: value out of range`);
  return index;
}

/** The `true` or `false` response to a write with check-and-set. */
export function verdict({ kind }: Kind, isDone: boolean): Written {
  const headers = { "content-type": "application/json" };
  return { kind, response: { status: 200, headers, body: `${isDone}\n` } };
}
