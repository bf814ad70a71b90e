import type { Exchange } from "../../recorded/exchange";

const SETS = "/api/v2/organizations/acme/varsets";
const SET_VARS = "/api/v2/varsets/{filled}/relationships/vars";
const variable = (attributes: Record<string, string | boolean>) => ({ data: { type: "vars", attributes } });

/** The requests to otfd for the variables of a variable set. */
export const setVariables: readonly Exchange[] = [
  {
    about: "a variable set of variables, made",
    method: "POST",
    path: SETS,
    body: { data: { type: "varsets", attributes: { name: "of-variables" } } },
    keep: { filled: ["data", "id"] },
  },
  { about: "no variables of a set", method: "GET", path: SET_VARS },
  {
    about: "a variable of a set, made",
    method: "POST",
    path: SET_VARS,
    body: variable({ key: "region", category: "terraform", value: "eu" }),
    keep: { inSet: ["data", "id"] },
  },
  {
    about: "a variable of a set, of a key that is taken",
    method: "POST",
    path: SET_VARS,
    body: variable({ key: "region", category: "terraform" }),
  },
  { about: "a variable of a set", method: "GET", path: `${SET_VARS}/{inSet}` },
  {
    about: "a variable of a set, changed",
    method: "PATCH",
    path: `${SET_VARS}/{inSet}`,
    body: variable({ value: "us" }),
  },
  { about: "the variables of a set", method: "GET", path: SET_VARS },
  { about: "a variable of a set, deleted", method: "DELETE", path: `${SET_VARS}/{inSet}` },
  { about: "a variable of a set that is gone", method: "GET", path: `${SET_VARS}/{inSet}` },
  { about: "the variable set of variables, deleted", method: "DELETE", path: "/api/v2/varsets/{filled}" },
];
