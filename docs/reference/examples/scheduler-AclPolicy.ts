import * as quarterdeck from "pulumi-quarterdeck";

// Tokens with this policy may read the jobs of the namespace `shop`.
new quarterdeck.scheduler.AclPolicy("shop-reader", {
  name: "shop-reader",
  description: "Reads the jobs of the shop",
  rules: `namespace "shop" {
  policy = "read"
}
`,
});

// The tasks of the job `web` may read the variables below `shop`.
new quarterdeck.scheduler.AclPolicy("web", {
  name: "web",
  rules: `namespace "shop" {
  variables {
    path "shop/*" {
      capabilities = ["read"]
    }
  }
}
`,
  jobAcl: { namespace: "shop", jobId: "web" },
});
