import type { Exchange } from "../../recorded/exchange";

const ENTRY = { Kind: "service-defaults", Name: "web", Protocol: "http" };
const AT = "/v1/config/service-defaults/web";

/** What is asked of the mesh. */
export const consul: readonly Exchange[] = [
  { about: "an entry, without a token", method: "GET", path: AT, as: "nobody" },
  { about: "an entry, with a token that does not exist", method: "GET", path: AT, as: "stranger" },
  { about: "an entry that is not there", method: "GET", path: AT },
  { about: "no entries", method: "GET", path: "/v1/config/service-defaults" },
  { about: "entries of a kind that is none", method: "GET", path: "/v1/config/nothing" },
  { about: "an entry that is no JSON", method: "PUT", path: "/v1/config", text: "{" },
  {
    about: "a member that is none",
    method: "PUT",
    path: "/v1/config",
    body: { ...ENTRY, Nothing: true },
  },
  {
    about: "a number that no machine holds",
    method: "PUT",
    path: "/v1/config",
    text: '{"Kind":"service-defaults","Name":"web","MaxInboundConnections":1e1000}',
  },
  { about: "an entry, created", method: "PUT", path: "/v1/config?cas=0", body: ENTRY },
  { about: "an entry", method: "GET", path: AT, keep: { index: ["ModifyIndex"] } },
  { about: "an equal entry, created", method: "PUT", path: "/v1/config?cas=0", body: ENTRY },
  {
    about: "another entry, created",
    method: "PUT",
    path: "/v1/config?cas=0",
    body: { ...ENTRY, Protocol: "tcp" },
  },
  {
    about: "an entry under its index",
    method: "PUT",
    path: "/v1/config?cas={index}",
    body: { ...ENTRY, Meta: { team: "a" } },
  },
  { about: "the entries", method: "GET", path: "/v1/config/service-defaults" },
  {
    about: "a splitter of a service without HTTP",
    method: "PUT",
    path: "/v1/config",
    body: { Kind: "service-splitter", Name: "plain", Splits: [{ Weight: 100 }] },
  },
  { about: "an entry under an index of before, deleted", method: "DELETE", path: `${AT}?cas={index}` },
  { about: "an entry, deleted", method: "DELETE", path: AT },
  { about: "an entry that is not there, deleted", method: "DELETE", path: AT },
  {
    about: "an entry that is not there, deleted under an index",
    method: "DELETE",
    path: `${AT}?cas={index}`,
  },
  {
    about: "the mesh's own entry, with a name",
    method: "PUT",
    path: "/v1/config",
    body: { Kind: "mesh", Name: "mesh" },
  },
  { about: "the mesh's own entry", method: "PUT", path: "/v1/config", body: { Kind: "mesh" } },
  { about: "the mesh's own entry, read", method: "GET", path: "/v1/config/mesh/mesh" },
];
