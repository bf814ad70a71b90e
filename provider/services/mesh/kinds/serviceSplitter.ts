import { z } from "zod";
import { field, isObject, type Json, rule } from "../../../core";
import { requiredBlocks, text } from "./members";
import { modified, place } from "./parts";
import { typedEntry } from "./typedEntry";

/** The division of a service's requests among subsets and services (specification: part B). */
export default typedEntry({
  type: "ServiceSplitter",
  product: {
    noun: "Consul service-splitter entry",
    terraform: "`consul_config_entry_service_splitter`",
    docs: "https://developer.hashicorp.com/consul/docs/agent/config-entries/service-splitter",
  },
  kind: "service-splitter",
  doc: "Consul `service-splitter` entry: divides the requests of a service among subsets and services. The service must use an HTTP protocol, so add its `service-defaults` to `dependsOn`.",
  members: {
    splits: requiredBlocks(
      {
        weight: field(z.number().min(0).max(100), {
          doc: "Share of the requests in percent, with a precision of 0.01; all shares add up to 100.",
        }),
        service: text("Service that receives the share. Default: the same service."),
        serviceSubset: text("Subset of that service, as defined in its `service-resolver`."),
        ...place,
        ...modified,
      },
      "Shares of the requests and their destinations.",
    ),
  },
  rules: [
    rule(
      ["spec.splits"],
      (splits) => {
        if (!Array.isArray(splits)) return undefined;
        const sum = splits.reduce<number>((total, split) => total + hundredths(split), 0);
        return sum === 10_000
          ? undefined
          : `must have weights that add up to 100; they add up to ${sum / 100}`;
      },
      "must have weights that add up to 100",
    ),
  ],
});

/** Consul stores weights with a precision of 0.01, and computes with 32 bits. */
function hundredths(split: Json): number {
  const weight = isObject(split) ? split.weight : undefined;
  return typeof weight === "number" ? Math.round(Math.fround(Math.fround(weight) * 100)) : 0;
}
