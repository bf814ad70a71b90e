import { TestStack } from "../stack/stack";
import { stories } from "./productCommands";
import { reset } from "./reset";
import { isOnPath } from "./servers/onPath";
import { givenServer, type Server } from "./servers/server";

const server = givenServer();

/** What the stack is told of each service, when it is this server. */
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
  test.skip("whole stacks are not tried on a real server: none was started", () => undefined);
} else {
  const story = stories[server.program];
  // The engine is chosen when a stack is opened.
  process.env.PULUMI_ENGINE ??= isOnPath("pulumi") ? "cli" : "embedded";

  describe(`a stack on ${server.version}, by the engine ${process.env.PULUMI_ENGINE},`, () => {
    let stack: TestStack;

    beforeEach(async () => {
      await reset();
      stack = await TestStack.open(settingsOf(server));
    });
    afterEach(() => stack.close());

    const program = (which: "first" | "second") => async () => {
      story.make(which);
    };

    test("is created, quiet, updated, quiet and destroyed", async () => {
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

    test(`shows what ${story.by} changed after a refresh, and the next up puts it back`, async () => {
      await stack.up(program("first"));
      await story.edit(server);
      expect(await stack.preview()).toMatchObject({ changes: { same: 2 } });
      const refreshed = await stack.refresh();
      expect(refreshed).toMatchObject({ failure: undefined, changes: { update: 1 } });
      expect(refreshed.output).toContain(story.moves);
      expect(await stack.up()).toMatchObject({ failure: undefined, changes: { update: 1 } });
      expect(await stack.refresh()).toMatchObject({ changes: { same: 2 } });
      expect(await stack.preview()).toMatchObject({ changes: { same: 2 } });
    });

    test(`does not write over what ${story.by} changed meanwhile, and says what it was`, async () => {
      await stack.up(program("first"));
      await story.edit(server);
      const { failure, output } = await stack.up(program("second"));
      expect(failure).toBeDefined();
      expect(output).toContain(
        "was changed by somebody else (or by a command that was killed) since it was last read; nothing was written",
      );
      expect(output).toContain(story.moves);
      await stack.refresh();
      expect(await stack.up(program("second"))).toMatchObject({ failure: undefined });
      expect(await stack.preview()).toMatchObject({ changes: { same: 2 } });
    });
  });
}
