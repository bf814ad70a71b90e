import type { Exchange } from "../../recorded/exchange";

const DATA = "/v1/kv/data/teams/app";
const METADATA = "/v1/kv/metadata/teams/app";

const write = (about: string, cas: number, data: object = { a: 1 }): Exchange => ({
  about: `kv: ${about}`,
  method: "POST",
  path: DATA,
  body: { data: data as { [name: string]: number }, options: { cas } },
});

/** The requests to a KV engine of version 2. */
export const keyValue: readonly Exchange[] = [
  { about: "kv: a secret that is not there", method: "GET", path: DATA },
  { about: "kv: no secrets", method: "GET", path: "/v1/kv/metadata?list=true" },
  write("a secret, written with the number of a version that is not there", 1),
  write("a secret, created", 0),
  { about: "kv: a secret", method: "GET", path: DATA },
  write("a secret, created again", 0),
  write("a secret, written with its version", 1, { a: 2 }),
  { about: "kv: an older version", method: "GET", path: `${DATA}?version=1` },
  { about: "kv: a secret without data", method: "POST", path: DATA, body: { options: { cas: 2 } } },
  {
    about: "kv: a secret, written with a parameter that the server does not know",
    method: "POST",
    path: DATA,
    body: { data: {}, options: {}, later: 1 },
  },
  { about: "kv: a secret, deleted", method: "DELETE", path: DATA },
  { about: "kv: a deleted secret", method: "GET", path: DATA },
  write("a deleted secret, created", 0),
  { about: "kv: the secrets of the engine", method: "GET", path: "/v1/kv/metadata?list=true" },
  { about: "kv: the secrets of a folder", method: "GET", path: "/v1/kv/metadata/teams?list=true" },
  {
    about: "kv: a version, undeleted",
    method: "POST",
    path: "/v1/kv/undelete/teams/app",
    body: { versions: [3] },
  },
  { about: "kv: an undeleted secret", method: "GET", path: DATA },
  {
    about: "kv: a version, destroyed",
    method: "POST",
    path: "/v1/kv/destroy/teams/app",
    body: { versions: [3] },
  },
  { about: "kv: a destroyed secret", method: "GET", path: DATA },
  { about: "kv: a secret with its versions, deleted", method: "DELETE", path: METADATA },
  { about: "kv: a secret whose versions are deleted", method: "GET", path: DATA },
  { about: "kv: an absent secret, deleted", method: "DELETE", path: DATA },
];
