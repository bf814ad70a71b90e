import { momentsOf } from "./clustered/failover";
import { expectConflicts, expectNoChangesInLifecycles } from "./clustered/lifecycles";
import { allSubjects, findPart, type Part } from "./clustered/parts";
import { type Outcome, runStory } from "./clustered/runStory";
import { STORIES } from "./clustered/stories";
import { clusterOfTests, clusters } from "./servers/clusters";
import { givenServer } from "./servers/server";

const single = givenServer();
const start = single && clusters[single.program];

if (single === undefined || start === undefined) {
  test.skip("cluster tests need a Nomad or OpenBao server", () => undefined);
} else {
  const clustered = clusterOfTests(start, single);

  describe(`a cluster of three servers (${single.version})`, () => {
    const tokens = allSubjects.map(([token]) => token);
    const parts = new Map<string, Part>();
    const partOf = (token: string) => {
      const part = parts.get(token);
      if (part === undefined) throw new Error(`${token} was not rehearsed`);
      return part;
    };
    beforeAll(async () => {
      for (const named of allSubjects) parts.set(named[0], await findPart(named));
    });

    test.each(tokens)("%s through a standby shows no changes in 50 lifecycles", (token) =>
      expectNoChangesInLifecycles(clustered(), partOf(token), 50),
    );

    test.each(tokens)(
      "%s through a standby reports each of 30 edits before an update as a conflict",
      (token) => expectConflicts(clustered(), partOf(token), 30),
    );

    for (const [name, story] of Object.entries(STORIES)) {
      const eligible = allSubjects
        .filter(([, { takeAway }]) => takeAway !== undefined || !story.needsDeletion)
        .map(([token]) => token);
      describe.each(momentsOf(story.moments))(`${name}; the active server is killed %s`, (_, moment) => {
        let outcomes: ReadonlyMap<string, Outcome>;
        beforeAll(async () => {
          outcomes = await runStory(clustered(), eligible.map(partOf), story, moment);
        });

        test.each(eligible)("%s loses no edit and reports nothing false", (token) => {
          const { messages = [], failure } = outcomes.get(token) ?? {
            failure: new Error("the story did not run"),
          };
          process.stderr.write(
            `${token}, ${name}, ${moment}: ${messages.length} errors\n${messages.map((one) => `  ${one}\n`).join("")}`,
          );
          if (failure !== undefined) throw failure;
        });
      });
    }
  });
}
