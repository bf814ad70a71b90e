import { canonicalJob } from "./canonical/job";
import { invalid, permissionError } from "./errors";
import { diagnostic, HclError } from "./hcl/source";
import { normalizeJob } from "./jobspec/normalize";
import { parseJob } from "./jobspec/parse";
import { type Endpoint, type Operation, type Outcome, readBody } from "./operation";
import { flag, struct, text } from "./shape/field";
import { job as jobShape } from "./shape/job";

export const parseJobEndpoints: readonly Endpoint[] = (["POST", "PUT"] as const).map((method) => ({
  method,
  path: "/jobs/parse",
  section: "Parse job",
  handle: parse,
}));

/** `HCLv1` selects an older language, which is a subset of this one. */
const body = struct({ JobHCL: text(), Canonicalize: flag(), Variables: text(), HCLv1: flag() });

/** "ACL: `namespace:parse-job` and `namespace:submit-job`." */
function parse(operation: Operation): Outcome {
  const { caller, namespace, world, switches } = operation;
  const may = (capability: "parse-job" | "submit-job") => caller.may(capability, namespace, world.namespaces);
  if (!may("parse-job") || !may("submit-job")) throw permissionError();
  const given = readBody(operation, "JobsParseRequest", body);
  if ((given.JobHCL ?? "") === "") throw invalid("Job spec is empty");
  const sent = normalizeJob(
    jobShape.read(parseSource(given.JobHCL ?? "", given.Variables ?? ""), "Job") ?? {},
  );
  const answer =
    given.Canonicalize === true ? canonicalJob(sent, switches.defaultPriority) : jobShape.outline(sent);
  return { body: answer, index: world.index };
}

function parseSource(source: string, variables: string): unknown {
  try {
    return parseJob({ text: source, variables });
  } catch (error) {
    if (!(error instanceof HclError)) throw error;
    throw invalid(`Failed to parse job: ${diagnostic(error, source, "input.hcl")}`);
  }
}
