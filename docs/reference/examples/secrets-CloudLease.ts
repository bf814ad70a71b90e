import * as quarterdeck from "pulumi-quarterdeck";

new quarterdeck.secrets.CloudLease("cloud", { lease: "30m", leaseMax: "24h" });
