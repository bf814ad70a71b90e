/** The number of random cases: all of them in `npm run soak -- properties`, and a part of them in other runs of the tests. */
export function rounds(all: number, inTests: number): number {
  return process.env.QUARTERDECK_PROPERTIES === "all" ? all : inTests;
}

/** The same, with a tenth of the cases in other runs. */
export function tenth(all: number): number {
  return rounds(all, Math.ceil(all / 10));
}

/** The same, with a twentieth of the cases in other runs. */
export function twentieth(all: number): number {
  return rounds(all, Math.ceil(all / 20));
}

/** The same, with a fifth of the cases in other runs. */
export function fifth(all: number): number {
  return rounds(all, Math.ceil(all / 5));
}

/** Every case in `npm run soak -- properties`, and every third one in other runs of the tests. */
export function share<Case>(cases: readonly Case[]): readonly Case[] {
  return process.env.QUARTERDECK_PROPERTIES === "all" ? cases : cases.filter((_, index) => index % 3 === 0);
}
