import { expectQuiet, made, scenes } from "./late";
import { Resource } from "./resource";

/** What a service answers to a write by itself proves nothing: it says the same of what is there already, or is not there. */
const ANSWERS: Readonly<Record<string, string>> = {
  entry: "true",
  job: '{"EvalID":"4b2b4b1e","EvalCreateIndex":9,"JobModifyIndex":9}',
};

const answered = scenes.filter(([name]) => name in ANSWERS);

describe.each(answered)(
  "the answer of the service itself, of a %s, that was not carried out",
  (name, scene) => {
    const { subject, first, second, own } = scene;

    /** The first write of this resource is answered and not carried out. */
    async function unheard() {
      const { world, resource } = await made(scene);
      let writes = 0;
      world.fate = ({ nature }) =>
        nature === "read" || writes++ > 0
          ? "passes"
          : { answer: { status: 200, text: ANSWERS[name] ?? "" }, isCarriedOut: false };
      return { world, resource };
    }

    test("is no proof of an update", async () => {
      const { world, resource } = await unheard();
      await resource.up(second);
      expect(world.logged.join()).not.toMatch(/somebody/);
      await expectQuiet(resource, second);
      const there = new Resource(world, subject.definition);
      await there.get(resource.id);
      expect(JSON.stringify(there.outputs)).toContain(String(own));
    });

    test("is no proof of a delete", async () => {
      const { world, resource } = await unheard();
      await resource.delete();
      const again = new Resource(world, subject.definition);
      await again.create(first);
      await expectQuiet(again, first);
    });
  },
);
