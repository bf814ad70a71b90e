import * as pulumi from "@pulumi/pulumi";
import * as quarterdeck from "pulumi-quarterdeck";

const config = new pulumi.Config();

new quarterdeck.mesh.InlineCertificate("web", {
  name: "web",
  spec: {
    certificate: config.require("webCertificate"),
    privateKey: config.requireSecret("webPrivateKey"),
  },
});
