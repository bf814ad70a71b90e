import { ServiceFailed } from "../../provider/core/http/errors";
import { blank, expectQuiet, made, scenes } from "./late";
import type { World } from "./world";

/** The next write is refused, in the words of the service itself. */
function refuse(world: World): void {
  const isPlain = ["mesh", "scheduler"].includes(world.connection.service.name);
  const text = isPlain ? "the store is full" : '{"errors":["the store is full"]}';
  let writes = 0;
  world.fate = ({ nature }) =>
    nature === "read" || writes++ > 0 ? "passes" : { answer: { status: 500, text }, isCarriedOut: false };
}

/** The service's words alone: no doubt, and no advice about what may have happened. */
async function expectWordsAlone(step: Promise<unknown>): Promise<void> {
  const failure = await step.catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ServiceFailed);
  expect(String(failure)).toContain("the store is full");
  expect(String(failure)).not.toMatch(/carried out|not known|may |Next:|\blog\b|gateway/);
}

describe.each(scenes)("a 500 of the service itself to a write of a %s", (_, scene) => {
  const { first, second } = scene;

  test("in a create is a no: told in its words, sent once, and nothing is kept", async () => {
    const { world, resource, writes } = await blank(scene);
    refuse(world);
    await expectWordsAlone(resource.create(first));
    expect(writes()).toBe(1);
    expect(resource.id).toBe("");
    await resource.create(first);
    await expectQuiet(resource, first);
  });

  test("in an update is a no: told in its words, and sent once", async () => {
    const { world, resource, writes } = await made(scene);
    refuse(world);
    await expectWordsAlone(resource.up(second));
    expect(writes()).toBe(1);
    expect(resource.record.pending).toBeUndefined();
    await resource.up(second);
    await expectQuiet(resource, second);
  });

  test("in a delete is a no: told in its words, and sent once", async () => {
    const { world, resource, writes } = await made(scene);
    refuse(world);
    await expectWordsAlone(resource.delete());
    expect(writes()).toBe(1);
    await expectQuiet(resource, first);
  });
});
