import * as quarterdeck from "pulumi-quarterdeck";

const staff = new quarterdeck.mesh.JwtProvider("staff", {
  name: "staff",
  spec: {
    issuer: "https://login.example.com",
    audiences: ["orders"],
    jsonWebKeySet: { remote: { uri: "https://login.example.com/keys", cacheDuration: "30m" } },
  },
});

new quarterdeck.mesh.ServiceIntentions("orders", {
  name: "orders",
  spec: {
    jwt: { providers: [{ name: staff.name }] },
    sources: [{ name: "web", action: "allow" }],
  },
});
