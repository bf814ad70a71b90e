import { canonicalJob } from "./canonical/job";
import { namespaceOf } from "./create-job";
import { invalid } from "./errors";
import { inject } from "./injection";
import { type Endpoint, type Operation, type Outcome, readBody } from "./operation";
import { optional, struct } from "./shape/field";
import { job as jobShape } from "./shape/job";
import { errorsText } from "./validation/errors";
import { jobErrors } from "./validation/job";

/** Returns a job's validation errors as a successful response. */
export const validateJobEndpoints: readonly Endpoint[] = (["POST", "PUT"] as const).map((method) => ({
  method,
  path: "/validate/job",
  section: "The other jobs endpoints",
  handle: validate,
}));

const body = struct({ Job: optional(jobShape) });

function validate(operation: Operation): Outcome {
  const { world, switches, region } = operation;
  const { Job: sent } = readBody(operation, "JobValidateRequest", body);
  if (sent === undefined) throw invalid("Job must be specified");
  const own = { ...sent, Namespace: namespaceOf(sent, operation), Region: region };
  const errors = jobErrors(canonicalJob(inject(own, switches), switches.defaultPriority), world);
  return {
    body: {
      DriverConfigValidated: true,
      ValidationErrors: errors.length === 0 ? null : errors,
      Error: errors.length === 0 ? "" : errorsText(errors),
      Warnings: "",
    },
    index: world.index,
  };
}
