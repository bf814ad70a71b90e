import { permissions } from "../../provider/services/mesh/permissions";
import { mesh } from "../../provider/services/mesh/service";
import { policyOf } from "../../tools/generate/policies";

test("a policy for an entry that routes traffic to other services lets the token read all services", () => {
  const needed = permissions
    .flatMap(({ needs }) => needs ?? [])
    .filter(({ on }) => on.includes("other service"));
  expect(needed.length).toBeGreaterThan(0);
  for (const need of needed) {
    const path = "/config/service-resolver/web";
    expect(policyOf(mesh, [{ request: "write", path, needs: [need] }])).toBe(
      'service_prefix "" {\n  policy = "read"\n}',
    );
  }
});
