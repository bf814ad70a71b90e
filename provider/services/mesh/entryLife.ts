import {
  del,
  deletesChecked,
  get,
  lookedFor,
  object,
  place,
  put,
  repeatableWrite,
  replaces,
  setting,
} from "../../core/language";
import type { Shows } from "../../core/language/reads";
import type { Json } from "../../core/value/json";
import { inDatacenter as query, withOwnName } from "./service";

/** Where an entry of this kind and name is; either may be a part of the address, or a word. */
export function placeOf(kind: string, name: string) {
  return place([`{datacenter}/{namespace}/${kind}/${name}`, `${kind}/${name}`], {
    defaults: {
      datacenter: setting("datacenter"),
      namespace: setting("namespace", { unset: "default" }),
    },
    answered: { namespace: "Namespace" },
  });
}

/** How an entry of this kind and name lives; `own` are members that its body holds beside what the program writes. */
export function lifeOf(
  kind: string,
  name: string,
  { shows, own = {} }: { readonly shows: Shows; readonly own?: Readonly<Record<string, Json>> },
) {
  const one = `/config/${kind}/${name}`;
  return object({
    reads: {
      one: get(one, { query }),
      shows,
      list: { route: get(`/config/${kind}`, { query }), holds: "whole" },
    },
    writes: replaces({
      create: put("/config", { query }),
      envelope: (body, { dialect }) => withOwnName({ ...own, ...body }, dialect),
    }),
    check: repeatableWrite({
      token: "ModifyIndex",
      carry: (token) => ({ query: { cas: token } }),
      isUntouched: (body) =>
        body.CreateIndex !== undefined && String(body.CreateIndex) === String(body.ModifyIndex),
    }),
    // The service takes the same entry once more for no conflict, whatever the index.
    creation: { existing: lookedFor() },
    deletion: deletesChecked(del(one, { query }), { looksAfter: true }),
  });
}
