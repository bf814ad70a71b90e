import * as quarterdeck from "pulumi-quarterdeck";

new quarterdeck.secrets.QueueLease("queue", { ttl: "1h", maxTtl: "24h" });
