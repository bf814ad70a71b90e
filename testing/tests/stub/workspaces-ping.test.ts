import { WorkspacesService } from "../../stub/services/workspaces/service";
import { send } from "./in-process";

test.each([
  ["real", 204, "2.6"],
  ["neutral", 404, undefined],
] as const)(
  "the product is identified in the dialect %s with the status %i",
  async (dialect, status, version) => {
    const service = new WorkspacesService({
      switches: { dialect },
      seed: { tokens: { owner: { user: "olga", organizations: { acme: ["owners"] } } } },
    });
    const answer = await send(service, "GET", "/api/v2/ping", { headers: { authorization: "Bearer owner" } });
    expect([answer.status, answer.headers["tfp-api-version"]]).toEqual([status, version]);
  },
);
