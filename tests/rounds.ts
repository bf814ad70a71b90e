/** How often something is tried by chance: in a run of the tests a part of all that `npm run soak -- laws` tries. */
export function rounds(all: number, inTests: number): number {
  return process.env.QUARTERDECK_LAWS === "all" ? all : inTests;
}

/** A tenth of it, for what takes longest. */
export function tenth(all: number): number {
  return rounds(all, Math.ceil(all / 10));
}

/** A twentieth of it, for what takes longest of all. */
export function twentieth(all: number): number {
  return rounds(all, Math.ceil(all / 20));
}

/** A fifth of it, for what takes long. */
export function fifth(all: number): number {
  return rounds(all, Math.ceil(all / 5));
}

/** Every third of many cases in a run of the tests, so that each kind of them comes up; all of them in `npm run soak -- laws`. */
export function share<Case>(cases: readonly Case[]): readonly Case[] {
  return process.env.QUARTERDECK_LAWS === "all" ? cases : cases.filter((_, index) => index % 3 === 0);
}
