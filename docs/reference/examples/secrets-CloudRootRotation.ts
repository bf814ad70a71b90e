import * as quarterdeck from "pulumi-quarterdeck";

// Rotates once a quarter: a new value runs the rotation again.
new quarterdeck.secrets.CloudRootRotation("quarterly", { triggers: ["2030-Q1"] });
