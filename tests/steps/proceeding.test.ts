import { z } from "zod";
import { define, place, procedure } from "../../provider/core";
import { writeOnlyFields } from "../../provider/core/language/commonFields";
import { field } from "../../provider/core/language/facts";
import type { Procedure } from "../../provider/core/language/lives";
import { endProcedure, readProcedure, startProcedure } from "../../provider/core/operations/procedure";
import { PartialError } from "../../provider/core/state/errors";
import { parseRecords } from "../../provider/core/state/records";
import type { Json } from "../../provider/core/value/json";
import { withMetadata } from "../../provider/core/value/programInputs";
import { asking } from "../core/requests/asking";
import { harbour } from "../generate/harbour";

/** A passage through a lock, which is opened with a key and hands out a pass; its functions are the test's. */
const passage = (own: Partial<Procedure>) =>
  define({
    token: "harbour:Passage",
    doc: "A passage through a lock.",
    section: "Locks",
    service: harbour,
    fields: {
      ...writeOnlyFields,
      name: field(z.string(), { doc: "The lock's name.", role: "identity", location: "address" }),
      key: field(z.string(), { doc: "What opens it.", secret: true, role: "steering" }),
      level: field(z.number().optional(), { doc: "How high the water is.", role: "server's" }),
      pass: field(z.string().optional(), { doc: "What lets out.", role: "server's", secret: true }),
    },
    where: place("{name}"),
    life: procedure({
      proceed: async ({ learnt }) => learnt,
      refresh: async ({ learnt }) => learnt,
      end: async () => undefined,
      story: { proceeds: "", refreshes: "", ends: "" },
      ...own,
    }),
  });

const inputs = withMetadata({ name: "east", key: "opened-by-olga" }, {});
const PASS = "let-out-at-noon";

/** What a bridge hands to a step. */
function input() {
  const { connection, log } = asking().context;
  return { connection, log };
}

/** The outputs of a passage that knows its pass. */
async function passed(): Promise<{ [property: string]: Json }> {
  const made = await startProcedure(
    passage({ proceed: async () => ({ level: 1, pass: PASS }) }),
    input(),
    inputs,
  );
  return made.outputs;
}

test("why it could not go on is kept without what the program wrote, and without what it had learnt", async () => {
  const definition = passage({
    async proceed({ keep }) {
      keep({ pass: PASS });
      throw new Error(`the keeper wants ${inputs.key} no more, and does not take ${PASS}`);
    },
  });
  const failure = await startProcedure(definition, input(), inputs).catch((error: unknown) => error);
  if (!(failure instanceof PartialError)) throw failure;
  expect(parseRecords(failure.outputs as { [property: string]: Json })).toMatchObject({
    procedure: { pass: PASS },
    pending: { kind: "incomplete", reason: "the keeper wants [secret] no more, and does not take [secret]" },
  });
});

test("what it knew before is masked by every later step", async () => {
  const outputs = await passed();
  const said: string[] = [];
  const definition = passage({
    async refresh({ context, learnt }) {
      said.push(context.redactor.mask(`the keeper quotes ${PASS}`));
      return learnt;
    },
    async end({ context }) {
      said.push(context.redactor.mask(`the keeper quotes ${PASS}`));
    },
  });
  // A state that holds it in its records only, as one does whose outputs an engine has not filled.
  const { __quarterdeck } = outputs;
  await readProcedure(definition, input(), "east", { __quarterdeck: __quarterdeck ?? null });
  await endProcedure(definition, input(), { __quarterdeck: __quarterdeck ?? null });
  expect(said).toEqual(["the keeper quotes [secret]", "the keeper quotes [secret]"]);
});

test("what a look has learnt is in the state, and known to the next step", async () => {
  const definition = passage({
    refresh: async ({ learnt }) => ({ ...learnt, level: Number(learnt.level) + 1 }),
  });
  let outputs = await passed();
  for (const level of [2, 3]) {
    const found = await readProcedure(definition, input(), "east", outputs);
    if (found === undefined) throw new Error("it was taken for gone");
    outputs = found.outputs;
    expect(outputs).toMatchObject({ level, pass: PASS });
    expect(parseRecords(outputs)?.procedure).toEqual({ level, pass: PASS });
  }
});
