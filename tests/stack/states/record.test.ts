import { consoleOn } from "../console";
import { makeFound, wholeStories } from "./programs";
import { closeWithServices, record, stackThen } from "./recording";
import { drift, drifted, halfDone } from "./uneven";

// With QUARTERDECK_RECORD_STATES=1, records the stacks; the README says how.
jest.setTimeout(300_000);

const recording = process.env.QUARTERDECK_RECORD_STATES === undefined ? describe.skip : describe;

recording("recording of stacks", () => {
  test.each(Object.entries(wholeStories()))("records the stack of %s", async (name, story) => {
    const stack = await stackThen();
    try {
      await makeFound(consoleOn(stack.stub));
      expect(await stack.up(story())).toMatchObject({ failure: undefined });
      const { failure, changes } = await stack.preview();
      expect([failure, Object.keys(changes)]).toEqual([undefined, ["same"]]);
      await record(name, stack, changes);
    } finally {
      await closeWithServices(stack);
    }
  });

  test("records the stack with drifted, incomplete and unverified resources", async () => {
    const stack = await stackThen();
    try {
      const parts = halfDone();
      expect(await stack.up(async () => drifted())).toMatchObject({ failure: undefined });
      await drift(consoleOn(stack.stub));
      expect(await stack.refresh()).toMatchObject({ failure: undefined, changes: { update: 4 } });
      const made: (typeof parts)[number][] = [];
      for (const part of parts) {
        made.push(part);
        if (part.fault) await stack.stub.fault(part.fault);
        const target = [`urn:pulumi:dev::platform::pulumi-nodejs:dynamic/quarterdeck/${part.urn}`];
        const { failure } = await stack.up(
          async () => {
            drifted();
            for (const one of made) one.make(false);
          },
          { target },
        );
        expect([part.urn, typeof failure]).toEqual([part.urn, "string"]);
        expect(JSON.stringify(await stack.resources())).toContain(part.urn);
        await stack.stub.clearFaults();
      }
      const { failure, changes } = await stack.preview(async () => {
        drifted();
        for (const one of made) one.make(true);
      });
      expect(failure).toBeUndefined();
      await record("uneven", stack, changes);
    } finally {
      await closeWithServices(stack);
    }
  });
});
