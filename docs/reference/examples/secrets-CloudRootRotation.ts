import * as quarterdeck from "pulumi-quarterdeck";

// A new value in triggers rotates the key again, here once a quarter.
new quarterdeck.secrets.CloudRootRotation("quarterly", { triggers: ["2030-Q1"] });
