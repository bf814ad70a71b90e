import { elementsOf } from "../../../provider/core/diff/walk";
import { UNKNOWN, type Value } from "../../../provider/core/value/unknown";

test("elementsOf drops only duplicates of the same type and value, and keeps large integers and unknown values", () => {
  const large = 18446744073709551615n;
  const elements: Value[] = ["5", 5, large, [large], { of: large }, UNKNOWN, null, true];
  expect([...elementsOf(elements).values()]).toEqual(elements);
  expect([...elementsOf([large, large, "a", "a"]).values()]).toEqual([large, "a"]);
});
