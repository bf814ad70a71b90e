import { createFirst, expectUnchanged, scenes } from "./late";
import { Resource } from "./resource";

/** Success responses that prove nothing: the service returns the same if it has nothing to write or to delete. */
const ANSWERS: Readonly<Record<string, string>> = {
  "configuration entry": "true",
  job: '{"EvalID":"4b2b4b1e","EvalCreateIndex":9,"JobModifyIndex":9}',
};

const answered = scenes.filter(([name]) => name in ANSWERS);

describe.each(answered)("a success response to a write of a %s that was not applied", (name, scene) => {
  const { subject, first, second, own } = scene;

  /** The first write of this resource gets a success response and is not applied. */
  async function answerWithoutWrite() {
    const { world, resource } = await createFirst(scene);
    let writes = 0;
    world.fate = ({ nature }) =>
      nature === "read" || writes++ > 0
        ? "passes"
        : { answer: { status: 200, text: ANSWERS[name] ?? "" }, isCarriedOut: false };
    return { world, resource };
  }

  test("is not accepted as proof of an update", async () => {
    const { world, resource } = await answerWithoutWrite();
    await resource.up(second);
    expect(world.logged.join()).not.toMatch(/someone/);
    expect(JSON.stringify(resource.record.observed)).toContain(String(own));
    await expectUnchanged(resource, second);
    const there = new Resource(world, subject.definition);
    await there.get(resource.id);
    expect(JSON.stringify(there.outputs)).toContain(String(own));
  });

  test("is not accepted as proof of a delete", async () => {
    const { world, resource } = await answerWithoutWrite();
    await resource.delete();
    const again = new Resource(world, subject.definition);
    await again.create(first);
    await expectUnchanged(again, first);
  });
});
