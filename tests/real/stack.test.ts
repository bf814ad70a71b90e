import { TestStack } from "../stack/stack";
import { stories } from "./productCommands";
import { reset } from "./reset";
import { isOnPath } from "./servers/onPath";
import { givenServer, type Server } from "./servers/server";

const server = givenServer();

/** The stack's settings for each server. */
const SETTINGS = {
  nomad: { scheduler: {} },
  bao: { secrets: { queueMount: "msgq", directoryMount: "ldap" } },
  otfd: { workspaces: {} },
  consul: { mesh: {} },
} as const;

function settingsOf({ program, address, token }: Server): Record<string, object> {
  return Object.fromEntries(
    Object.entries(SETTINGS[program]).map(([service, own]) => [
      service,
      { address, token, dialect: "real", ...own },
    ]),
  );
}

if (server === undefined) {
  test.skip("stacks need a real server", () => undefined);
} else {
  const story = stories[server.program];
  // TestStack chooses the engine when it opens a stack.
  process.env.PULUMI_ENGINE ??= isOnPath("pulumi") ? "cli" : "embedded";

  describe(`a stack on ${server.version} with the engine ${process.env.PULUMI_ENGINE}`, () => {
    let stack: TestStack;

    beforeEach(async () => {
      await reset();
      stack = await TestStack.open(settingsOf(server));
    });
    afterEach(() => stack.close());

    const program = (which: "first" | "second") => async () => {
      story.make(which);
    };

    test("is created, updated and destroyed, and shows no changes in between", async () => {
      expect(await stack.up(program("first"))).toMatchObject({ failure: undefined, changes: { create: 2 } });
      expect(await stack.preview()).toMatchObject({ changes: { same: 2 } });
      expect(await stack.refresh()).toMatchObject({ changes: { same: 2 } });
      expect(await stack.up(program("second"))).toMatchObject({
        failure: undefined,
        changes: { update: 1 },
      });
      expect(await stack.preview()).toMatchObject({ changes: { same: 2 } });
      expect(await stack.destroy()).toMatchObject({ failure: undefined, changes: { delete: 2 } });
    });

    test(`shows a change by ${story.editedWith} after a refresh, and the next up reverts it`, async () => {
      await stack.up(program("first"));
      await story.edit(server);
      expect(await stack.preview()).toMatchObject({ changes: { same: 2 } });
      const refreshed = await stack.refresh();
      expect(refreshed).toMatchObject({ failure: undefined, changes: { update: 1 } });
      expect(refreshed.output).toContain(story.changedProperty);
      expect(await stack.up()).toMatchObject({ failure: undefined, changes: { update: 1 } });
      expect(await stack.refresh()).toMatchObject({ changes: { same: 2 } });
      expect(await stack.preview()).toMatchObject({ changes: { same: 2 } });
    });

    test(`reports a change by ${story.editedWith} as a conflict and does not overwrite it`, async () => {
      await stack.up(program("first"));
      await story.edit(server);
      const { failure, output } = await stack.up(program("second"));
      expect(failure).toBeDefined();
      expect(output).toContain(
        "was changed outside this stack (or by a killed command); nothing was written",
      );
      expect(output).toContain(story.changedProperty);
      await stack.refresh();
      expect(await stack.up(program("second"))).toMatchObject({ failure: undefined });
      expect(await stack.preview()).toMatchObject({ changes: { same: 2 } });
    });
  });
}
