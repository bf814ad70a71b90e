import assert from "node:assert/strict";
import { test } from "node:test";
import { openTrial } from "pulumi-quarterdeck-testing";

test("the program is created, shows no changes, and is deleted; a preview writes nothing", async () => {
  const trial = await openTrial();
  try {
    await trial.stack.preview();
    assert.deepEqual(await trial.writes(), []);

    const made = await trial.stack.up();
    assert.deepEqual(made.summary.resourceChanges, { create: 5 });

    const again = await trial.stack.up();
    assert.deepEqual(again.summary.resourceChanges, { same: 5 });

    const { summary } = await trial.stack.destroy();
    assert.equal(summary.result, "succeeded");
  } finally {
    await trial.close();
  }
});
