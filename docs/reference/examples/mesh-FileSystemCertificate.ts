import * as quarterdeck from "pulumi-quarterdeck";

const certificate = new quarterdeck.mesh.FileSystemCertificate("web", {
  name: "web",
  spec: { certificate: "/etc/gateway/web.crt", privateKey: "/etc/gateway/web.key" },
});

new quarterdeck.mesh.ApiGateway("front", {
  name: "front",
  spec: {
    listeners: [
      {
        name: "web",
        port: 8443,
        protocol: "http",
        tls: { certificates: [{ kind: "file-system-certificate", name: certificate.name }] },
      },
    ],
  },
});
