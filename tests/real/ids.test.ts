import loginEnforcement from "../../provider/services/secrets/loginEnforcement";
import { Resource } from "../steps/resource";
import { secretsWorld, write } from "../steps/subjects/secretsScene";
import { reset } from "./reset";
import { givenServer } from "./servers/server";

if (givenServer()?.program !== "bao") {
  test.skip("the IDs of login enforcements need an OpenBao server", () => undefined);
} else {
  test("a login enforcement accepts the IDs of 30 MFA methods", async () => {
    await reset();
    const world = await secretsWorld(loginEnforcement);
    const resource = new Resource(world, loginEnforcement);
    const mfaMethodIds: string[] = [];
    for (let number = 1; number <= 30; number++) {
      const body = { method_name: `method-${number}`, org_name: "acme", api_token: "t" };
      const { data } = await write(world, "identity/mfa/method/extidp", body);
      // The response contains the ID of the new method.
      mfaMethodIds.push((data as { method_id: string }).method_id);
    }
    const program = { name: "everybody", mfaMethodIds, authMethodTypes: ["userpass"] };
    expect(resource.check(program)).toEqual([]);
    await resource.create(program);
    expect(resource.preview(program).changes).toEqual([]);
    await resource.delete();
  });
}
