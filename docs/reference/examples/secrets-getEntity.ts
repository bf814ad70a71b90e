import * as quarterdeck from "pulumi-quarterdeck";

// An entity that this program does not manage.
const carol = quarterdeck.secrets.getEntityOutput({ name: "carol" });

new quarterdeck.secrets.Group("operators", {
  name: "operators",
  policies: ["operate"],
  memberEntityIds: [carol.entityId],
});
