import { catalog } from "../../provider/catalog";
import { oneTimeActions } from "./oneTimeActions";
import { procedures } from "./procedures";
import { subjects } from "./subjects";

test("every definition of the catalog has property tests", () => {
  const tested = [...subjects, ...oneTimeActions, ...procedures].map(([token]) => token);
  expect(tested.sort()).toEqual(Object.keys(catalog).sort());
});
