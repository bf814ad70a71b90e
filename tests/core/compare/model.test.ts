import { z } from "zod";
import { modelOfBody, modelOfInputs, withoutOthersOwned } from "../../../provider/core/diff/models";
import { missingIn } from "../../../provider/core/diff/queries";
import { field } from "../../../provider/core/language/facts";
import { define } from "../../../provider/core/language/resource";
import type { Json } from "../../../provider/core/value/json";
import type { Path } from "../../../provider/core/value/path";
import { exampleDefinition } from "../../generate/exampleDefinition";
import { channel } from "./channel";

const chart = define({
  ...exampleDefinition,
  token: "harbour:Sheet",
  rules: [],
  fields: {
    sheet: field(z.record(z.string(), z.unknown()), {
      doc: "The sheet.",
      document: {
        implied: { Open: true },
        impliedBy: { Title: "Code" },
        serverOwned: ["Code"],
        handedDown: ["Pace"],
      },
    }),
  },
});

test("a model contains implied values for absent members: a constant or another member's value", () => {
  expect(modelOfInputs(chart, { sheet: { Code: "a" } })).toEqual({ sheet: { Open: true, Title: "a" } });
  expect(modelOfInputs(chart, { sheet: { Code: "a", Title: "b", Open: false } })).toEqual({
    sheet: { Open: false, Title: "b" },
  });
  expect(modelOfInputs(chart, { sheet: {} })).toEqual({ sheet: { Open: true } });
  expect(modelOfBody(chart, { sheet: { Code: "a", Title: "a" } })).toEqual({
    sheet: { Open: true, Title: "a" },
  });
});

test("withoutOthersOwned removes the members of a document that others own under the given inputs", () => {
  const model = { plain: "a", document: { Left: 1, Right: 2 } };
  expect(withoutOthersOwned(channel, model, { pace: "theirs" })).toEqual({
    plain: "a",
    document: { Right: 2 },
  });
  expect(withoutOthersOwned(channel, model, {})).toEqual(model);
});

const pathsOf = (differences: readonly { readonly path: Path }[]) => differences.map(({ path }) => path);

test("missingIn ignores a member that the service copies to nested objects", () => {
  const found = (sheet: { [member: string]: string }) => ({ body: { sheet }, address: {} });
  const wanted = { sheet: { Code: "a", Pace: { Knots: 3 }, Depth: "deep" } };
  expect(missingIn(chart, wanted, found({ Code: "a", Title: "a", Depth: "deep" }))).toEqual([]);
  expect(pathsOf(missingIn(chart, wanted, found({ Code: "a", Title: "a" })))).toEqual([["sheet", "Depth"]]);
});

test("missingIn ignores a dropped block with only zero values and reports any other absent block", () => {
  const found = { body: { sheet: { Code: "a" } }, address: {} };
  const missingPaths = (document: { [member: string]: object }) =>
    pathsOf(missingIn(pacing, { sheet: { Code: "a", ...document } as { [member: string]: Json } }, found));
  const facts = { dropped: ["Pace"], blocks: ["Pace", "Pilot"] };
  const sheet = field(z.record(z.string(), z.unknown()), { doc: "The sheet.", document: facts });
  const pacing = { ...chart, fields: { sheet } };
  expect(missingPaths({ Pace: { Knots: 0, Fast: false, Way: "" } })).toEqual([]);
  expect(missingPaths({ Pace: {} })).toEqual([]);
  expect(missingPaths({ Pace: { Knots: 0, Fast: true } })).toEqual([["sheet", "Pace"]]);
  expect(missingPaths({ Pilot: {} })).toEqual([["sheet", "Pilot"]]);
  expect(missingPaths({ Pilot: { Fast: false } })).toEqual([["sheet", "Pilot"]]);
});
