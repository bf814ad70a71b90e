import type { Cell } from "./rule";
import { canDo, DEEDS, type Deed } from "./strangers";
import type { Life, Tried } from "./tried";

/** What strangers did in the lives of a definition. */
export class Deeds {
  readonly #done = new Set<string>();
  readonly #lives = new Set<string>();

  constructor(private readonly tried: Tried) {}

  /** Something was tried, and found something to do. */
  happened({ life, fault }: Pick<Cell, "life" | "fault">): void {
    this.#lives.add(life.name);
    if (fault.deed) this.#done.add(`${life.name}: ${fault.deed.kind}`);
  }

  /** What nobody did in any request of a life, and somebody can; only of a run of all cells. A life may send nothing. */
  async missing(): Promise<string[]> {
    const lives = await this.tried.lives();
    const sending = lives.filter(({ name }) => this.#lives.has(name));
    return sending.flatMap((life) =>
      DEEDS.filter((deed) => mustHappen(deed, this.tried, life))
        .map((deed) => `${life.name}: ${deed}`)
        .filter((what) => !this.#done.has(what)),
    );
  }
}

/** Where something is there all the time, nobody can make an equal one. */
const EMPTY_AT_TIMES: readonly Life["kind"][] = ["create", "replace", "delete"];

function mustHappen(deed: Deed, tried: Tried, life: Life): boolean {
  if (!canDo(deed, tried, life)) return false;
  return deed !== "equal create" || EMPTY_AT_TIMES.includes(life.kind);
}
