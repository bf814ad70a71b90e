import { plainOf } from "../compare/document";
import type { Movement } from "../compare/movements";
import { formatJson } from "../value/json";
import { formatPath } from "../value/path";
import { isKnown, UNKNOWN, type Value } from "../value/unknown";
import type { Secrecy } from "./redaction";

/** What a conflict is about. */
export interface ConflictDetails {
  /** `scheduler:Job "default/web"`. */
  readonly resource: string;
  readonly step: "create" | "update" | "delete";
  /** The token that our plan was made from, and the one that the service holds now, where it has tokens. */
  readonly ourToken?: string | undefined;
  readonly theirToken?: string | undefined;
  readonly movements: readonly Movement[];
  /** Whether our own write reached the service before theirs. */
  readonly afterOurs?: boolean;
  /** Whether it is about what the program only begins to manage, which was read now for the first time, and recorded. */
  readonly isFirstLook?: boolean;
  readonly secrecy: Secrecy;
}

/** Somebody else moved what the program manages; nothing of ours was written over it. */
export class ConflictError extends Error {
  override readonly name = "ConflictError";
  constructor(readonly details: ConflictDetails) {
    super(messageOf(details));
  }
}

/** A conflict that the program wants to be overwritten, told in a line that names the resource already. */
export function overwritten({ step, movements, secrecy }: ConflictDetails): string {
  const told = `somebody else changed it right after our ${step} (onConflict: "overwrite"):`;
  return [told, ...movementTable(movements, secrecy)].join("\n");
}

function messageOf(details: ConflictDetails): string {
  const { resource, step, ourToken, theirToken, afterOurs, isFirstLook } = details;
  const outcome = afterOurs
    ? `conflict: ${resource} was changed by somebody else right after our ${step}; theirs is what the service holds.`
    : `conflict: ${resource} was changed by somebody else since it was last read; nothing was written.`;
  const tokens =
    ourToken === undefined && theirToken === undefined
      ? []
      : [`  planned from index ${ourToken ?? "none"}; the service is at index ${theirToken ?? "none"}`];
  return [
    outcome,
    ...tokens,
    ...movementTable(details.movements, details.secrecy),
    ...(isFirstLook ? FIRST_LOOK : afterwards(step)),
  ].join("\n");
}

/** What was found is in the state by now: the next preview shows it, and the next up may replace it. */
const FIRST_LOOK = [
  "  to look:        pulumi preview --diff (what was found, for the first time, is in the state now)",
  "  to take theirs: write their values into the program",
  "  to insist:      pulumi up",
];

function afterwards(step: ConflictDetails["step"]): string[] {
  // What deletes one resource may be an up that no longer has it; nobody is sent to take the whole stack down.
  if (step === "delete") {
    return [
      "  to look:        pulumi refresh --preview-only",
      "  to keep it:     pulumi refresh, then write it into the program with their values",
      "  to insist:      pulumi refresh, then the same command again",
    ];
  }
  return [
    "  to look:        pulumi refresh --preview-only",
    "  to take theirs: pulumi refresh, then write their values into the program",
    '  to insist:      pulumi refresh, then pulumi up (or onConflict: "overwrite" on the resource)',
  ];
}

/** Field, base, ours and theirs, a line each, aligned. */
export function movementTable(movements: readonly Movement[], secrecy: Secrecy): string[] {
  const rows = movements.map((movement) => {
    const text = textOf(movement, secrecy);
    const { base, ours, theirs } = movement;
    return [pathText(movement), text(base), text(ours), text(theirs)];
  });
  return aligned([["field", "base", "ours", "theirs"], ...rows]);
}

/** How what is there differs from what the program writes, a line each, aligned. */
export function comparisonTable(differences: readonly Movement[], secrecy: Secrecy): string[] {
  const rows = differences.map((difference) => {
    const text = textOf(difference, secrecy);
    return [pathText(difference), text(difference.ours), text(difference.theirs)];
  });
  return aligned([["field", "the program", "the service"], ...rows]);
}

/** What somebody changed: field, what it was and what it is, a line each, aligned. */
export function driftTable(movements: readonly Movement[], secrecy: Secrecy): string[] {
  const rows = movements.map((movement) => {
    const text = textOf(movement, secrecy);
    return [pathText(movement), text(movement.base), text(movement.theirs)];
  });
  return aligned([["field", "was", "is"], ...rows]);
}

/** Where it moved, in the names in which a program writes it. */
function pathText({ path: [name, ...inside], field }: Movement): string {
  return formatPath([name ?? "", ...(field.facts.spelling?.restorePath?.(inside) ?? inside)]);
}

function textOf({ path }: Movement, { isSecret, mask }: Secrecy): (value: Value | undefined) => string {
  return isSecret(path) ? maskedText : (value) => valueText(value, mask);
}

function aligned(table: readonly (readonly string[])[]): string[] {
  const widths = (table[0] ?? []).map((_, column) =>
    Math.max(...table.map((row) => (row[column] ?? "").length)),
  );
  return table.map((row) =>
    `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ")}`.trimEnd(),
  );
}

const LONGEST_VALUE = 60;

/** A value as it stands in a message: short, on one line; masked before it is cut, when a secret is still whole. */
function valueText(value: Value | undefined, mask: Secrecy["mask"]): string {
  if (value === undefined || value === null) return "(none)";
  if (value === UNKNOWN) return "(unknown)";
  const shown = plainOf(value);
  const text = mask(isKnown(shown) ? formatJson(shown) : "(partly unknown)");
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE - 1)}…` : text;
}

function maskedText(value: Value | undefined): string {
  if (value === undefined || value === null) return "(none)";
  return value === "" ? '""' : "[secret]";
}
