import { catalog } from "../../provider/catalog";
import { deeds } from "./deeds";
import { subjects } from "./subjects";

test("every definition of the catalog is a subject of the laws of its kind", () => {
  const tried = [...subjects, ...deeds].map(([token]) => token);
  expect(tried.sort()).toEqual(Object.keys(catalog).sort());
});
