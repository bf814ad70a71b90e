import { ServiceFailed } from "../../provider/core/http/errors";
import { createFirst, expectUnchanged, newResource, scenes } from "./late";
import type { World } from "./world";

/** The next write fails with an error message of the service itself. The service stores the object nevertheless, or not. */
function refuse(world: World, { isCarriedOut } = { isCarriedOut: false }): void {
  const isPlain = ["mesh", "scheduler"].includes(world.connection.service.name);
  const text = isPlain ? "the store is full" : '{"errors":["the store is full"]}';
  let writes = 0;
  world.fate = ({ nature }) =>
    nature === "read" || writes++ > 0 ? "passes" : { answer: { status: 500, text }, isCarriedOut };
}

/** Expects only the service's message, without doubt or advice about the outcome. */
async function expectServiceMessageOnly(step: Promise<unknown>): Promise<void> {
  const failure = await step.catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ServiceFailed);
  expect(String(failure)).toContain("the store is full");
  expect(String(failure)).not.toMatch(/applied|unknown|may |Next:|\blog\b|gateway/);
}

describe.each(scenes)("a %s whose write fails with the service's own HTTP 500", (_, scene) => {
  const { first, second } = scene;

  test("is not created: the request is sent once, the error has only its message, and no ID is stored", async () => {
    const { world, resource, writes } = await newResource(scene);
    refuse(world);
    await expectServiceMessageOnly(resource.create(first));
    expect(writes()).toBe(1);
    expect(resource.id).toBe("");
    await resource.create(first);
    await expectUnchanged(resource, first);
  });

  test("is not updated: the request is sent once, and the error has only its message", async () => {
    const { world, resource, writes } = await createFirst(scene);
    refuse(world);
    await expectServiceMessageOnly(resource.up(second));
    expect(writes()).toBe(1);
    expect(resource.record.pending).toBeUndefined();
    await resource.up(second);
    await expectUnchanged(resource, second);
  });

  test("is not deleted: the request is sent once, and the error has only its message", async () => {
    const { world, resource, writes } = await createFirst(scene);
    refuse(world);
    await expectServiceMessageOnly(resource.delete());
    expect(writes()).toBe(1);
    await expectUnchanged(resource, first);
  });

  test("shows the message as a warning if the service stored the object nevertheless", async () => {
    const { world, resource, writes } = await newResource(scene);
    refuse(world, { isCarriedOut: true });
    await resource.create(first);
    expect(writes()).toBe(1);
    await expectUnchanged(resource, first);
    refuse(world, { isCarriedOut: true });
    await resource.up(second);
    await expectUnchanged(resource, second);
    const warnings = world.logged.filter((text) => text.startsWith("warning:"));
    expect(warnings.filter((text) => text.includes("the store is full"))).toHaveLength(2);
  });
});
