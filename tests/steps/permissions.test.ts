import fc from "fast-check";
import type { Values } from "../../provider/core/language/object";
import { rounds } from "../rounds";
import { expectAsserted } from "./asserted";
import { expectMinimalPermissions } from "./minimalPermissions";
import { oneTimeActions } from "./oneTimeActions";
import { runStory, type Story } from "./permissionStories";
import { otherWays, procedures } from "./procedures";
import { subjects } from "./subjects";
import { workspaceSubject } from "./subjects/workspace";

const RUNS = rounds(5, 1);

/** The lifecycle of a resource with two programs, one after the other. */
const by =
  (first: Values, second: Values): Story["steps"] =>
  (resource) => [
    () => resource.create(first),
    () => resource.up(second),
    () => resource.refresh(),
    () => resource.delete(),
  ];

const SUFFICIENT =
  "are sufficient for its lifecycle; without any one of them a request is rejected, and the error names it";

describe.each(subjects)(
  "the permissions that the reference documents for %s",
  (token, { definition, world, programs }) => {
    test(SUFFICIENT, async () => {
      let asserted = 0;
      await fc.assert(
        fc.asyncProperty(programs, programs, async (first, second) => {
          asserted += await expectMinimalPermissions(token, { definition, world, steps: by(first, second) });
        }),
        { numRuns: RUNS },
      );
      expectAsserted(token, asserted);
    });
  },
);

test.each<[string, Values, Values]>([
  ["created in", { name: "app", projectId: "prj-platform" }, { name: "app" }],
  ["moved to", { name: "app" }, { name: "app", projectId: "prj-platform" }],
])(
  "a workspace that is %s a different project needs the permission on projects",
  async (_, first, second) => {
    const { definition, world } = workspaceSubject;
    const story = { definition, world, steps: by(first, second) };
    const { needed } = await runStory(story);
    expect(needed.flat().filter(({ when }) => /projectId/.test(when ?? ""))).toHaveLength(1);
    await expectMinimalPermissions(definition.token, story);
  },
);

describe.each(oneTimeActions)(
  "the permissions that the reference documents for %s",
  (token, { definition, scene }) => {
    test(SUFFICIENT, async () => {
      const { program, another = { ...program, triggers: ["again"] } } = await scene();
      const world = async () => (await scene()).world;
      expectAsserted(
        token,
        await expectMinimalPermissions(token, { definition, world, steps: by(program, another) }),
      );
    });
  },
);

describe.each([...procedures, ...otherWays])(
  "the permissions that the reference documents for %s",
  (token, { definition, scene }) => {
    test(SUFFICIENT, async () => {
      const { program } = await scene();
      const world = async () => (await scene()).world;
      const steps = by(program, program);
      expectAsserted(token, await expectMinimalPermissions(token, { definition, world, steps }));
    });
  },
);
