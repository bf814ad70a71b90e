/** The URNs that an operation is limited to; empty means no limit. */
export class Targets {
  private readonly literals: Set<string>;
  private readonly globs: readonly RegExp[];

  /** A target with `*` is a glob: `*` matches inside a part of a URN, `**` across parts. */
  constructor(targets: readonly string[]) {
    this.literals = new Set(targets.filter((target) => !target.includes("*")));
    this.globs = targets.filter((target) => target.includes("*")).map(glob);
  }

  get limit(): boolean {
    return this.literals.size > 0 || this.globs.length > 0;
  }

  /** The targets without a glob, which can be checked for existence. */
  get named(): readonly string[] {
    return [...this.literals];
  }

  has(urn: string): boolean {
    return !this.limit || this.literals.has(urn) || this.globs.some((one) => one.test(urn));
  }

  /** True if a target names this URN, literally or with a glob. */
  names(urn: string): boolean {
    return this.limit && this.has(urn);
  }

  /** Adds a dependent of a target, for `--target-dependents`. */
  add(urn: string): void {
    if (this.limit) this.literals.add(urn);
  }
}

function glob(target: string): RegExp {
  const escapePattern = (text: string) => text.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&");
  const source = target
    .split("**")
    .map((part) => part.split("*").map(escapePattern).join("[^:]*"))
    .join(".*");
  return new RegExp(`^${source}$`);
}
