import { catalog } from "../../provider/catalog";
import { deeds } from "./deeds";
import { procedures } from "./procedures";
import { subjects } from "./subjects";

test("every definition of the catalog has property tests", () => {
  const tested = [...subjects, ...deeds, ...procedures].map(([token]) => token);
  expect(tested.sort()).toEqual(Object.keys(catalog).sort());
});
