import * as pulumi from "@pulumi/pulumi";
import * as quarterdeck from "pulumi-quarterdeck";

const config = new pulumi.Config();

// The tasks of the job `web` may read this path in their templates.
new quarterdeck.scheduler.Variable("web", {
  path: "nomad/jobs/web",
  items: { user: "shop", password: config.requireSecret("password") },
});
