import { withoutOrdinary } from "../../../provider/core/diff/project";

const facts = {
  empties: ["Label", "Berths.*.Depth"],
  leftOut: { Flag: "none" },
  serverDefaults: { "Berths.*.Side": "port" },
  blocks: ["Lights"],
};

const without = (value: Parameters<typeof withoutOrdinary>[0], required: readonly string[] = []) =>
  withoutOrdinary(value, facts, required);

test("what leaving it out comes to is left out", () => {
  expect(without({ Name: "quay", Label: "", Flag: "none", Tide: null })).toEqual({ Name: "quay" });
  expect(without({ Name: "", Label: "L", Flag: "red" })).toEqual({ Label: "L", Flag: "red" });
});

test("what the service puts in by itself is left out, in each element of a list", () => {
  expect(without({ Berths: [{ Side: "port", Depth: 0 }, { Side: "starboard" }] })).toEqual({
    Berths: [{}, { Side: "starboard" }],
  });
});

test("a block in which nothing is left goes, unless its presence says something", () => {
  expect(without({ Crane: { Hook: null, Reach: {} }, Lights: {} })).toEqual({
    Lights: {},
  });
});

test("what no program can leave out stays", () => {
  expect(without({ Label: "", Berths: [{ Side: "port" }] }, ["Label", "Berths.*.Side"])).toEqual({
    Label: "",
    Berths: [{ Side: "port" }],
  });
});
