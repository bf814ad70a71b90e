import type { EngineEvent } from "../events";
import { OPERATIONS, wordsFor } from "./operations";

const UNCOUNTED = ["same", "read", "discard", "read-replacement"];

/** Renders the summary of an operation: the number of resources per operation, and the duration. */
export function renderSummary(
  { resourceChanges, durationSeconds }: NonNullable<EngineEvent["summaryEvent"]>,
  { preview, errored }: { readonly preview: boolean; readonly errored: number },
): string {
  const changed = OPERATIONS.filter((op) => !UNCOUNTED.includes(op) && countOf(resourceChanges, op) > 0);
  const lines = changed.map((op) => {
    const { sign, past } = wordsFor(op);
    return `    ${sign}${countOf(resourceChanges, op)} ${preview ? `to ${op}` : past}\n`;
  });
  const total = changed.reduce((sum, op) => sum + countOf(resourceChanges, op), 0);
  const unchanged = countOf(resourceChanges, "same");
  const pieces = [
    ...(changed.length > 1 ? [`${total} ${total === 1 ? "change" : "changes"}`] : []),
    ...(unchanged > 0 ? [`${unchanged} unchanged`] : []),
  ];
  return [
    "Resources:\n",
    ...lines,
    ...(pieces.length > 0 ? [`    ${pieces.join(". ")}\n`] : []),
    ...(errored > 0 ? [`    ${errored} errored\n`] : []),
    ...(preview ? [] : [`\nDuration: ${formatDuration(durationSeconds)}\n`]),
  ].join("");
}

function countOf(changes: Readonly<Partial<Record<string, number>>>, op: string): number {
  return changes[op] ?? 0;
}

/** Formats seconds as a Go duration. */
function formatDuration(seconds: number): string {
  const whole = Math.ceil(seconds);
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  return `${hours > 0 ? `${hours}h` : ""}${whole >= 60 ? `${minutes}m` : ""}${rest}s`;
}
