import type { Json } from "../../../provider/core/value/json";
import type { Exchange } from "../../recorded/exchange";

/** The plan fails without a size, and the apply takes two seconds. */
const CONFIGURATION = `
variable "size" {
  default = "small"
}
resource "terraform_data" "app" {
  input = var.size
  provisioner "local-exec" {
    command = "sleep 2"
  }
  lifecycle {
    precondition {
      condition     = var.size != ""
      error_message = "An app needs a size."
    }
  }
}
`;

const VERSION = "/api/v2/configuration-versions/{version}";
const RUNS = "/api/v2/runs";
const run = (attributes: { readonly [name: string]: Json }) => ({
  data: {
    type: "runs",
    attributes,
    relationships: { workspace: { data: { type: "workspaces", id: "{deployed}" } } },
  },
});

const EXCHANGES: readonly Exchange[] = [
  {
    about: "a workspace of runs, made",
    method: "POST",
    path: "/api/v2/organizations/acme/workspaces",
    body: {
      data: { type: "workspaces", attributes: { name: "runs", "terraform-version": "{terraform}" } },
    },
    keep: { deployed: ["data", "id"] },
  },
  { about: "a run without a configuration version, made", method: "POST", path: RUNS, body: run({}) },
  {
    about: "a configuration version, made",
    method: "POST",
    path: "/api/v2/workspaces/{deployed}/configuration-versions",
    body: { data: { type: "configuration-versions", attributes: { "auto-queue-runs": false } } },
    keep: { version: ["data", "id"], upload: ["data", "attributes", "upload-url"] },
  },
  { about: "a configuration version that waits for its upload", method: "GET", path: VERSION },
  {
    about: "a configuration, uploaded",
    method: "PUT",
    path: "{upload}",
    as: "nobody",
    configuration: CONFIGURATION,
  },
  {
    about: "a configuration version with its upload",
    method: "GET",
    path: VERSION,
    untilStatus: "uploaded",
  },
  {
    about: "a configuration version that is not there",
    method: "GET",
    path: "/api/v2/configuration-versions/cv-AAAAAAAAAAAAAAAA",
  },
  {
    about: "a run, made",
    method: "POST",
    path: RUNS,
    body: run({ message: "first", "auto-apply": false }),
    keep: { first: ["data", "id"] },
  },
  { about: "a run that waits for its apply", method: "GET", path: `${RUNS}/{first}`, untilStatus: "planned" },
  {
    about: "a second run, made",
    method: "POST",
    path: RUNS,
    body: run({ message: "second", "auto-apply": false }),
    keep: { second: ["data", "id"] },
  },
  { about: "a run that waits for another run", method: "GET", path: `${RUNS}/{second}` },
  { about: "a run, discarded", method: "POST", path: `${RUNS}/{second}/actions/discard` },
  { about: "a discarded run", method: "GET", path: `${RUNS}/{second}` },
  { about: "a discarded run, applied", method: "POST", path: `${RUNS}/{second}/actions/apply` },
  { about: "a run, applied", method: "POST", path: `${RUNS}/{first}/actions/apply` },
  { about: "a run that is being applied", method: "GET", path: `${RUNS}/{first}`, untilStatus: "applying" },
  { about: "an applied run", method: "GET", path: `${RUNS}/{first}`, untilStatus: "applied" },
  { about: "an applied run, applied again", method: "POST", path: `${RUNS}/{first}/actions/apply` },
  {
    about: "a run that only plans, made",
    method: "POST",
    path: RUNS,
    body: run({ "plan-only": true }),
    keep: { third: ["data", "id"] },
  },
  {
    about: "a run that has only planned",
    method: "GET",
    path: `${RUNS}/{third}`,
    untilStatus: "planned_and_finished",
  },
  {
    about: "a run whose plan fails, made",
    method: "POST",
    path: RUNS,
    body: run({ variables: [{ key: "size", value: '""' }] }),
    keep: { fourth: ["data", "id"] },
  },
  { about: "a failed run", method: "GET", path: `${RUNS}/{fourth}`, untilStatus: "errored" },
  { about: "the runs", method: "GET", path: "/api/v2/workspaces/{deployed}/runs" },
  {
    about: "the runs, searched",
    method: "GET",
    path: "/api/v2/workspaces/{deployed}/runs?search%5Bbasic%5D=second",
  },
  { about: "a run that is not there", method: "GET", path: `${RUNS}/run-AAAAAAAAAAAAAAAA` },
  { about: "the workspace of runs, deleted", method: "DELETE", path: "/api/v2/workspaces/{deployed}" },
];

/** The requests to otfd for configuration versions and for runs that Terraform executes. */
export const runs: readonly Exchange[] = EXCHANGES.map((exchange) => ({
  ...exchange,
  needs: { terraform: "1.11.4" },
}));
