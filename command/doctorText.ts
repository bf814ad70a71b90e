import { styleText } from "node:util";
import type { Diagnosis, Finding } from "../doctor/report";
import { visibleIn } from "../drift/visible";

const COLOURS = { ok: "green", "to do": "red", "not told": "gray" } as const;

/** A diagnosis as a person reads it on a terminal; in colours only where it is one. */
export function diagnosisText(diagnosis: Diagnosis): string[] {
  const { findings } = visibleIn(diagnosis);
  const groups = new Map<string, Finding[]>();
  for (const finding of findings) groups.set(finding.about, [...(groups.get(finding.about) ?? []), finding]);
  const left = findings.filter(({ verdict }) => verdict === "to do").length;
  const width = Math.max(0, ...findings.map(({ what }) => what.length));
  return [
    ...[...groups].flatMap(([about, own]) => [
      about,
      ...own.flatMap((finding) => linesOf(finding, width)),
      "",
    ]),
    left === 0 ? "Nothing to do." : `${left} to do.`,
  ];
}

function linesOf({ what, verdict, says, advice }: Finding, width: number): string[] {
  const word = styleText(COLOURS[verdict], verdict.padEnd("not told".length));
  const own = says.split("\n").join(" ");
  return [
    `  ${word}  ${what.padEnd(width)}  ${own}`,
    ...(advice === undefined ? [] : [`  ${" ".repeat("not told".length)}  ${" ".repeat(width)}  ${advice}`]),
  ];
}
