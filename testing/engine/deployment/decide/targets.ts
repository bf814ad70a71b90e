/** The URNs that an operation is limited to; empty means that it is not. */
export class Targets {
  private readonly literals: Set<string>;
  private readonly globs: readonly RegExp[];

  /** A target with a `*` in it is a glob: `*` stays within a URN's part, `**` does not. */
  constructor(targets: readonly string[]) {
    this.literals = new Set(targets.filter((target) => !target.includes("*")));
    this.globs = targets.filter((target) => target.includes("*")).map(glob);
  }

  get limit(): boolean {
    return this.literals.size > 0 || this.globs.length > 0;
  }

  /** What was named in full, and can be told to be missing. */
  get named(): readonly string[] {
    return [...this.literals];
  }

  has(urn: string): boolean {
    return !this.limit || this.literals.has(urn) || this.globs.some((one) => one.test(urn));
  }

  /** Whether this URN is named, in full or by a glob. */
  names(urn: string): boolean {
    return this.limit && this.has(urn);
  }

  /** A dependent of a target becomes one, where dependents were asked for. */
  add(urn: string): void {
    if (this.limit) this.literals.add(urn);
  }
}

function glob(target: string): RegExp {
  const escaped = (text: string) => text.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&");
  const source = target
    .split("**")
    .map((part) => part.split("*").map(escaped).join("[^:]*"))
    .join(".*");
  return new RegExp(`^${source}$`);
}
