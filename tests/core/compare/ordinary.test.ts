import { withoutOrdinary } from "../../../provider/core/diff/project";

const facts = {
  empties: ["Label", "Berths.*.Depth"],
  leftOut: { Flag: "none" },
  serverDefaults: { "Berths.*.Side": "port" },
  blocks: ["Lights"],
};

const without = (value: Parameters<typeof withoutOrdinary>[0], required: readonly string[] = []) =>
  withoutOrdinary(value, facts, required);

test("withoutOrdinary removes values that mean the same as leaving them out", () => {
  expect(without({ Name: "quay", Label: "", Flag: "none", Tide: null })).toEqual({ Name: "quay" });
  expect(without({ Name: "", Label: "L", Flag: "red" })).toEqual({ Label: "L", Flag: "red" });
});

test("withoutOrdinary removes default values of the service from each element of a list", () => {
  expect(without({ Berths: [{ Side: "port", Depth: 0 }, { Side: "starboard" }] })).toEqual({
    Berths: [{}, { Side: "starboard" }],
  });
});

test("withoutOrdinary removes a block that becomes empty, unless its presence is significant", () => {
  expect(without({ Crane: { Hook: null, Reach: {} }, Lights: {} })).toEqual({
    Lights: {},
  });
});

test("withoutOrdinary preserves members that a program must write", () => {
  expect(without({ Label: "", Berths: [{ Side: "port" }] }, ["Label", "Berths.*.Side"])).toEqual({
    Label: "",
    Berths: [{ Side: "port" }],
  });
});
