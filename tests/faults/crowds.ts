import type { Subject } from "../steps/subject";
import { subjects } from "../steps/subjects";
import { triedObject } from "./lives";
import type { Tried } from "./tried";

/** More than the largest page of a list holds, so that there are two. */
const OTHERS = 120;

/** What is listed with many others: its refreshes by a list of two pages, of which either may be missing. */
function inACrowd(subject: Subject): Tried {
  const tried = triedObject(subject);
  return {
    ...tried,
    async world() {
      const world = await tried.world();
      const workspaces = Array.from({ length: OTHERS }, (_, number) => ({
        organization: "acme",
        // Before ours, by name.
        name: `aaa-${number}`,
      }));
      world.stub.seed({ workspaces });
      return world;
    },
    // What a life is does not hang on how many others there are, and is found sooner without them.
    async lives() {
      const lives = (await tried.lives()).filter(({ name }) => name === "refresh by a list");
      if (lives.length === 0) throw new Error(`a ${subject.definition.token} is in no list`);
      return lives;
    },
  };
}

/** Those that are found in the list of an organization's workspaces. */
const LISTED = ["workspaces:WorkspaceSshKey", "workspaces:Workspace"];

export const crowded: readonly (readonly [token: string, make: () => Promise<Tried>])[] = subjects
  .filter(([token]) => LISTED.includes(token))
  .map(([token, subject]) => [token, async () => inACrowd(subject)]);
