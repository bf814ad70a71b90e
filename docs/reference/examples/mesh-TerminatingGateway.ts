import * as quarterdeck from "pulumi-quarterdeck";

new quarterdeck.mesh.TerminatingGateway("exit", {
  name: "exit",
  spec: {
    services: [{ name: "payments", caFile: "/etc/ssl/payments-ca.pem", sni: "payments.example.com" }],
  },
});
