import * as quarterdeck from "pulumi-quarterdeck";

// Once a quarter: another text acts again.
new quarterdeck.secrets.CloudRootRotation("quarterly", { triggers: ["2030-Q1"] });
