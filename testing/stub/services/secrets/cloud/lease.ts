import type { StubResponse } from "../../../service";
import { durationText, seconds } from "../durations";
import { absent, invalid } from "../errors";
import { answer, type Endpoint, NO_CONTENT } from "../operation";
import type { CloudOperation } from "./operation";

/** The lease settings of IAM users' credentials. */
export const leaseEndpoints: readonly Endpoint<CloudOperation>[] = [{ path: "config/lease", read, write }];

/** "`lease`, `lease_max` (string duration, required); largest suffix `h`." */
function write({ fields, data }: CloudOperation): StubResponse {
  const requireText = (name: string) => {
    const text = fields.string(name) ?? "";
    if (text === "") throw invalid(`'${name}' is a required parameter`);
    const value = /[dhms]/.test(text) && !text.includes("d") ? seconds(text) : undefined;
    if (value === undefined) throw invalid(`invalid ${name}: time: cannot parse duration "${text}"`);
    return value;
  };
  const [lease, leaseMax] = [requireText("lease"), requireText("lease_max")];
  data.lease.set("config", { lease, leaseMax });
  return NO_CONTENT;
}

function read(operation: CloudOperation): StubResponse {
  const config = operation.data.lease.get("config");
  if (config === undefined) throw absent();
  return answer(operation, { lease: durationText(config.lease), lease_max: durationText(config.leaseMax) });
}
