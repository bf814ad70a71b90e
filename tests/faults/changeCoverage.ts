import type { FaultSubject, Scenario } from "./faultSubject";
import { isPossible, USER_CHANGES, type UserChange } from "./otherUser";
import type { Cell } from "./rule";

/** The changes by other users in the scenarios of a definition. */
export class ChangeCoverage {
  readonly #done = new Set<string>();
  readonly #lives = new Set<string>();

  constructor(private readonly tried: FaultSubject) {}

  /** A fault happened in a scenario. */
  happened({ life, fault }: Pick<Cell, "life" | "fault">): void {
    this.#lives.add(life.name);
    if (fault.change) this.#done.add(`${life.name}: ${fault.change.kind}`);
  }

  /**
   * The possible changes that no scenario contained. Valid only after a run of all cells. A scenario without requests
   * does not count.
   */
  async missing(): Promise<string[]> {
    const lives = await this.tried.lives();
    const sending = lives.filter(({ name }) => this.#lives.has(name));
    return sending.flatMap((life) =>
      USER_CHANGES.filter((userChange) => mustHappen(userChange, this.tried, life))
        .map((userChange) => `${life.name}: ${userChange}`)
        .filter((what) => !this.#done.has(what)),
    );
  }
}

/** An equal object can be created only in scenarios where the object does not always exist. */
const MISSING_AT_TIMES: readonly Scenario["kind"][] = ["create", "replace", "delete"];

function mustHappen(userChange: UserChange, tried: FaultSubject, life: Scenario): boolean {
  if (!isPossible(userChange, tried, life)) return false;
  return userChange !== "equal create" || MISSING_AT_TIMES.includes(life.kind);
}
