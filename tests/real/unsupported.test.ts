import { givenServer } from "./servers/server";
import { unsupported } from "./subjects";

if (givenServer() === undefined) {
  test.skip("the list of unsupported subjects needs a real server", () => undefined);
} else if (unsupported.length > 0) {
  test.skip.each(unsupported)("%s is not run, because %s", () => undefined);
} else {
  test("the server supports every subject of its service", () => expect(unsupported).toEqual([]));
}
