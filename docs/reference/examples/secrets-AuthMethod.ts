import * as quarterdeck from "pulumi-quarterdeck";

const people = new quarterdeck.secrets.AuthMethod("people", {
  path: "people",
  type: "userpass",
  listingVisibility: "unauth",
});

const okta = new quarterdeck.secrets.MfaMethod("okta", {
  methodName: "okta",
  orgName: "acme",
  apiToken: "okta-api-token",
});

// Every login through this auth method needs Okta.
new quarterdeck.secrets.LoginEnforcement("people", {
  name: "people",
  mfaMethodIds: [okta.methodId],
  authMethodAccessors: [people.accessor],
});
