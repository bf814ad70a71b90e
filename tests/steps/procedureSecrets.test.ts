import { z } from "zod";
import { define, place, procedure } from "../../provider/core";
import { writeOnlyFields } from "../../provider/core/language/commonFields";
import { field } from "../../provider/core/language/facts";
import type { Procedure } from "../../provider/core/language/lifecycles";
import { procedureSteps } from "../../provider/core/operations/procedure";
import { PartialError } from "../../provider/core/state/errors";
import { parseRecords } from "../../provider/core/state/records";
import type { Json } from "../../provider/core/value/json";
import { withMetadata } from "../../provider/core/value/programInputs";
import { createCaller } from "../core/requests/caller";
import { exampleService } from "../generate/exampleDefinition";

/** A sample procedure with a secret input (`key`) and a secret output (`pass`). Each test supplies its functions. */
const passage = (own: Partial<Procedure>) =>
  define({
    token: "harbour:Passage",
    doc: "A passage through a lock.",
    section: "Locks",
    service: exampleService,
    fields: {
      ...writeOnlyFields,
      name: field(z.string(), { doc: "The lock's name.", role: "identity", location: "address" }),
      key: field(z.string(), { doc: "What opens it.", secret: true, role: "steering" }),
      level: field(z.number().optional(), { doc: "How high the water is.", role: "server's" }),
      pass: field(z.string().optional(), { doc: "What lets out.", role: "server's", secret: true }),
    },
    where: place("{name}"),
    life: procedure({
      proceed: async ({ progress }) => progress,
      refresh: async ({ progress }) => progress,
      end: async () => undefined,
      description: { proceeds: "", refreshes: "", ends: "" },
      ...own,
    }),
  });

const inputs = withMetadata({ name: "east", key: "opened-by-olga" }, {});
const PASS = "let-out-at-noon";

/** The input that a bridge passes to a step. */
function input() {
  const { connection, log } = createCaller().context;
  return { connection, log };
}

/** The outputs of a passage whose state contains the pass. */
async function outputsWithPass(): Promise<{ [property: string]: Json }> {
  const made = await procedureSteps(passage({ proceed: async () => ({ level: 1, pass: PASS }) })).create(
    input(),
    inputs,
  );
  return made.outputs;
}

test("the stored reason of an incomplete procedure contains no secret input and no secret output", async () => {
  const definition = passage({
    async proceed({ save }) {
      save({ pass: PASS });
      throw new Error(`the keeper wants ${inputs.key} no more, and does not take ${PASS}`);
    },
  });
  const failure = await procedureSteps(definition)
    .create(input(), inputs)
    .catch((error: unknown) => error);
  if (!(failure instanceof PartialError)) throw failure;
  expect(parseRecords(failure.outputs as { [property: string]: Json })).toMatchObject({
    procedure: { pass: PASS },
    pending: { kind: "incomplete", reason: "the keeper wants [secret] no more, and does not take [secret]" },
  });
});

test("a secret in the state is masked in a later refresh and delete", async () => {
  const outputs = await outputsWithPass();
  const masked: string[] = [];
  const definition = passage({
    async refresh({ context, progress }) {
      masked.push(context.redactor.mask(`the keeper quotes ${PASS}`));
      return progress;
    },
    async end({ context }) {
      masked.push(context.redactor.mask(`the keeper quotes ${PASS}`));
    },
  });
  // A state that contains the pass only in its records, because the engine has not filled the outputs.
  const { __quarterdeck } = outputs;
  await procedureSteps(definition).read(input(), "east", { __quarterdeck: __quarterdeck ?? null });
  await procedureSteps(definition).remove(input(), { __quarterdeck: __quarterdeck ?? null });
  expect(masked).toEqual(["the keeper quotes [secret]", "the keeper quotes [secret]"]);
});

test("the values that a refresh returns are stored and passed to the next refresh", async () => {
  const definition = passage({
    refresh: async ({ progress }) => ({ ...progress, level: Number(progress.level) + 1 }),
  });
  let outputs = await outputsWithPass();
  for (const level of [2, 3]) {
    const found = await procedureSteps(definition).read(input(), "east", outputs);
    if (found === undefined) throw new Error("it was taken for gone");
    outputs = found.outputs;
    expect(outputs).toMatchObject({ level, pass: PASS });
    expect(parseRecords(outputs)?.procedure).toEqual({ level, pass: PASS });
  }
});

test("an update of a complete procedure stores the new inputs and does not continue the procedure", async () => {
  const definition = passage({
    proceed: () => Promise.reject(new Error("it was not expected to continue")),
  });
  const changed = withMetadata({ ...inputs, key: "opened-by-otto" }, {});
  const outputs = await procedureSteps(definition).update(input(), await outputsWithPass(), changed);
  expect(outputs).toMatchObject({ level: 1, pass: PASS });
  expect(parseRecords(outputs)).toMatchObject({ lastApplied: { key: "opened-by-otto" } });
});
