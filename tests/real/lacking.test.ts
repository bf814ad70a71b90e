import { givenServer } from "./servers/server";
import { lacking } from "./subjects";

if (givenServer() === undefined) {
  test.skip("what a real server lacks is not known: none was started", () => undefined);
} else if (lacking.length > 0) {
  test.skip.each(lacking)("%s is not run, because %s", () => undefined);
} else {
  test("nothing of the service is lacking", () => expect(lacking).toEqual([]));
}
