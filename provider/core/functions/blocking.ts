import { z } from "zod";
import { field } from "../language/facts";
import { type Rule, rule } from "../language/rules";
import { waitOf } from "../requests/blocking";

/** The arguments of an endpoint with blocking queries. */
export const blockingFields = {
  index: field(z.string().regex(/^\d+$/).optional(), {
    doc: "Wait until the state is beyond this index: the `index` of an earlier result. Without it, or with 0, the answer comes at once.",
    role: "steering",
  }),
  wait: field(z.string().optional(), {
    doc: "The longest wait, such as `10s` or `5m`; at most 10 minutes, whatever is asked for. The service adds up to a sixteenth of it. Default: 5 minutes. It is not counted as time that the call takes: `timeout` does not end it. It means nothing without `index`.",
    role: "steering",
  }),
} as const;

/** The arguments of a watch over such an endpoint: it keeps the index itself. */
export const watchFields = {
  wait: field(z.string().optional(), {
    doc: "The longest that one question waits for a change, such as `10s` or `5m`; at most 10 minutes, to which the service adds up to a sixteenth. A change is seen at once; this is how late it can show that the servers came back without what they had. Default: 5 minutes.",
    role: "steering",
  }),
} as const;

/** What such an endpoint says of its answer. */
export const blockingResult = {
  index: field(z.string().optional(), {
    doc: "The index of the state, as text: hand it back as `index` to wait for what comes after.",
  }),
  lastContact: field(z.number().optional(), {
    doc: "Milliseconds since the leader last contacted the server that answered.",
  }),
  knownLeader: field(z.boolean().optional(), { doc: "Whether that server knows a leader." }),
} as const;

/** The rule of a blocking query (specification: General conventions, `wait`: a duration such as `10s` or `5m`). */
export const blockingRules: readonly Rule[] = [
  rule(
    ["wait"],
    (wait) => typeof wait === "string" && waitOf(wait) === undefined,
    "must be a duration, such as 10s or 5m",
  ),
];
