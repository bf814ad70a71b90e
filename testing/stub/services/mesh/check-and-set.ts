import { failed } from "./errors";
import type { Kind } from "./kinds/define";
import type { Written } from "./operation";

const GREATEST = 2n ** 64n - 1n;

/** The index that a write insists on; undefined, whatever default the table gives, for an unconditional one. */
export function readCheckAndSet(query: URLSearchParams): bigint | undefined {
  const text = query.get("cas") ?? "";
  if (text === "") return undefined;
  const quoted = JSON.stringify(text);
  if (!/^\d+$/.test(text)) throw failed(`strconv.ParseUint: parsing ${quoted}: invalid syntax`);
  const index = BigInt(text);
  if (index > GREATEST) throw failed(`strconv.ParseUint: parsing ${quoted}: value out of range`);
  return index;
}

/** `true` or `false`, as a write with a check answers it. */
export function verdict({ kind }: Kind, isDone: boolean): Written {
  const headers = { "content-type": "application/json" };
  return { kind, response: { status: 200, headers, body: `${isDone}\n` } };
}
