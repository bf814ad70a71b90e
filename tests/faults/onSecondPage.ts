import type { Subject } from "../steps/subject";
import { subjects } from "../steps/subjects";
import type { FaultSubject } from "./faultSubject";
import { faultSubjectOf } from "./objectScenarios";

/** More than the maximum page size, so that a list has two pages. */
const OTHERS = 120;

/** An object in a list of two pages. Either page may be missing. */
function inACrowd(subject: Subject): FaultSubject {
  const tried = faultSubjectOf(subject);
  return {
    ...tried,
    async world() {
      const world = await tried.world();
      const workspaces = Array.from({ length: OTHERS }, (_, number) => ({
        organization: "acme",
        // These names sort before the tested object's name.
        name: `aaa-${number}`,
      }));
      world.stub.seed({ workspaces });
      return world;
    },
    // The scenarios do not depend on the other objects, and are found faster without them.
    async lives() {
      const lives = (await tried.lives()).filter(({ name }) => name === "refresh by a list");
      if (lives.length === 0) throw new Error(`a ${subject.definition.token} is in no list`);
      return lives;
    },
  };
}

/** The definitions in the list of an organization's workspaces. */
const LISTED = ["workspaces:WorkspaceSshKey", "workspaces:Workspace"];

export const onSecondPage: readonly (readonly [token: string, make: () => Promise<FaultSubject>])[] = subjects
  .filter(([token]) => LISTED.includes(token))
  .map(([token, subject]) => [token, async () => inACrowd(subject)]);
