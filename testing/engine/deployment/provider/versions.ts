/** A semantic version: three numbers, with optional parts after `-` and `+`. */
const VERSION = /^v?(\d+)(?:\.(\d+))?(?:\.(\d+))?(?:-([\w.-]+))?(?:\+([\w.-]+))?$/;

/** The name of a version's default provider: `default_1_2_0`, or `default` without a version. */
export function defaultNameOf(version: string | undefined): string {
  if (version === undefined) return "default";
  const parts = VERSION.exec(version)?.slice(1);
  if (!parts) throw new Error(`Invalid version: ${version}`);
  const [major, minor, patch, before = "", build = ""] = parts;
  const further = [before, build].flatMap((text) => text.split(".")).filter((text) => text !== "");
  return ["default", major, minor, patch, ...further].join("_");
}

/** True if a version is older than the wanted one; an invalid version is older than every other. */
export function isOlder(version: string, wanted: string): boolean {
  const [own, other] = [VERSION.exec(version), VERSION.exec(wanted)];
  if (!own || !other) return true;
  for (const place of [1, 2, 3]) {
    const difference = Number(own[place] ?? 0) - Number(other[place] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return comparePreviews(own[4], other[4]) < 0;
}

/** Compares pre-release tags: a release is newer than its pre-releases; tags consist of numbers and words. */
function comparePreviews(left: string | undefined, right: string | undefined): number {
  if (left === undefined || right === undefined)
    return Number(left === undefined) - Number(right === undefined);
  const [ours, theirs] = [left.split("."), right.split(".")];
  for (let index = 0; index < Math.max(ours.length, theirs.length); index++) {
    const [own, other] = [ours[index], theirs[index]];
    if (own === undefined || other === undefined) return ours.length - theirs.length;
    if (own === other) continue;
    const [isNumber, isOtherNumber] = [/^\d+$/.test(own), /^\d+$/.test(other)];
    if (isNumber !== isOtherNumber) return isNumber ? -1 : 1;
    return isNumber ? Number(own) - Number(other) : own < other ? -1 : 1;
  }
  return 0;
}
