import type { StubRequest } from "../../service";
import { invalid } from "./errors";

const MINUTE = 60_000;
const DEFAULT_WAIT = 5 * MINUTE;
const GREATEST_WAIT = 10 * MINUTE;

/** Past which index, and until when by the stub's clock, a query waits; undefined for one that does not. */
export function waitOf(
  { query, clock }: StubRequest,
  random: () => number,
): { index: number; until: number } | undefined {
  const indexText = query.get("index") ?? "";
  if (!/^\d*$/.test(indexText)) throw invalid("Invalid index");
  const index = Number(indexText);
  if (index === 0) return undefined;
  const asked = millisecondsOf(query.get("wait") ?? "");
  const wait = asked === 0 ? DEFAULT_WAIT : Math.min(asked, GREATEST_WAIT);
  return { index, until: clock.now() + wait + Math.floor((random() * wait) / 16) };
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: MINUTE, h: 60 * MINUTE };

function millisecondsOf(text: string): number {
  if (text === "") return 0;
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|[smh])/g)];
  if (parts.map(([part]) => part).join("") !== text) throw invalid("Invalid wait time");
  return parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * (UNITS[unit ?? ""] ?? 0), 0);
}
