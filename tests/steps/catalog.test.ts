import { catalog } from "../../provider/catalog";
import { subjects } from "./subjects";

test("every definition of the catalog is a subject of the laws", () => {
  expect(subjects.map(([token]) => token).sort()).toEqual(Object.keys(catalog).sort());
});
