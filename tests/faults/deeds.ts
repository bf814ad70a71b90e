import type { Cell } from "./rule";
import { canDo, DEEDS, type Deed } from "./strangers";
import type { Life, Tried } from "./tried";

/** The changes by other users in the scenarios of a definition. */
export class Deeds {
  readonly #done = new Set<string>();
  readonly #lives = new Set<string>();

  constructor(private readonly tried: Tried) {}

  /** A fault happened in a scenario. */
  happened({ life, fault }: Pick<Cell, "life" | "fault">): void {
    this.#lives.add(life.name);
    if (fault.deed) this.#done.add(`${life.name}: ${fault.deed.kind}`);
  }

  /**
   * The possible changes that no scenario contained. Valid only after a run of all cells. A scenario without requests
   * does not count.
   */
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

/** An equal object can be created only in scenarios where the object does not always exist. */
const EMPTY_AT_TIMES: readonly Life["kind"][] = ["create", "replace", "delete"];

function mustHappen(deed: Deed, tried: Tried, life: Life): boolean {
  if (!canDo(deed, tried, life)) return false;
  return deed !== "equal create" || EMPTY_AT_TIMES.includes(life.kind);
}
