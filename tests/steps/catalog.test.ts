import { catalog } from "../../provider/catalog";
import { deeds } from "./deeds";
import { procedures } from "./procedures";
import { subjects } from "./subjects";

test("every definition of the catalog is tried by the laws of its kind", () => {
  const tried = [...subjects, ...deeds, ...procedures].map(([token]) => token);
  expect(tried.sort()).toEqual(Object.keys(catalog).sort());
});
