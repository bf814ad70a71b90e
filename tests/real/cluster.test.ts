import { company, type Part, rehearsed } from "./clustered/cast";
import { momentsOf } from "./clustered/fall";
import { live, type Outcome } from "./clustered/live";
import { expectConflicts, expectQuietLives } from "./clustered/lives";
import { STORIES } from "./clustered/stories";
import { clusterOfTests, clusters } from "./servers/clusters";
import { givenServer } from "./servers/server";

const single = givenServer();
const start = single && clusters[single.program];

if (single === undefined || start === undefined) {
  test.skip("no cluster is tried: the server is another one", () => undefined);
} else {
  const clustered = clusterOfTests(start, single);

  describe(`on three servers (${single.version})`, () => {
    const tokens = company.map(([token]) => token);
    const parts = new Map<string, Part>();
    const partOf = (token: string) => {
      const part = parts.get(token);
      if (part === undefined) throw new Error(`${token} was not rehearsed`);
      return part;
    };
    beforeAll(async () => {
      for (const named of company) parts.set(named[0], await rehearsed(named));
    });

    test.each(tokens)("%s by a standby: fifty lives have nothing to tell", (token) =>
      expectQuietLives(clustered(), partOf(token), 50),
    );

    test.each(tokens)(
      "%s by a standby: thirty edits just before an up are conflicts, none is lost",
      (token) => expectConflicts(clustered(), partOf(token), 30),
    );

    for (const [name, story] of Object.entries(STORIES)) {
      const told = company
        .filter(([, { takeAway }]) => takeAway !== undefined || !story.needsDeletion)
        .map(([token]) => token);
      describe.each(momentsOf(story.moments))(`${name}; the active server ends %s`, (_, moment) => {
        let outcomes: ReadonlyMap<string, Outcome>;
        beforeAll(async () => {
          outcomes = await live(clustered(), told.map(partOf), story, moment);
        });

        test.each(told)("%s: nothing is lost, and nothing false is said", (token) => {
          const { said = [], broken } = outcomes.get(token) ?? { broken: new Error("it was not lived") };
          process.stderr.write(
            `${token}, ${name}, ${moment}: ${said.length} errors\n${said.map((one) => `  ${one}\n`).join("")}`,
          );
          if (broken !== undefined) throw broken;
        });
      });
    }
  });
}
