import { z } from "zod";
import {
  type Address,
  checksByReadAndRejection,
  commonFields,
  define,
  del,
  deletes,
  elementsIn,
  errorOfRead,
  field,
  get,
  type HttpResponse,
  isObject,
  type Json,
  type ObjectHookContext,
  type Observation,
  object,
  place,
  post,
  replaces,
  type Search,
  type Spelling,
  send,
  type Values,
} from "../../core";
import { copiedPlace, descriptionField, goneWith, namesIn, regionField } from "./copied";
import { inRegion, scheduler } from "./service";

const path = "/acl/role/{roleId}";
const named = get("/acl/role/name/{name}", { query: inRegion });
const gone = goneWith("ACL role not found");

const nameOf = (link: Json) => (isObject(link) && typeof link.Name === "string" ? link.Name : link);

/** The names of policies, which Nomad stores as objects with a name. */
const policyNames: Spelling = {
  doc: "",
  canonical: (value) => (Array.isArray(value) ? value.map(nameOf) : value),
  encode: (value) => elementsIn(value).map((name) => ({ Name: nameOf(name) })),
};

/** Finds a role before its ID is known: names are unique. */
const byName: Search = {
  find: roleOfName,
  canFind: () => true,
};

async function roleOfName(
  context: ObjectHookContext,
  { region }: Address,
  { name }: Values,
): Promise<Observation | undefined> {
  if (typeof name !== "string") return undefined;
  const there: Address = { name, ...(region !== undefined && { region }) };
  const answer = await send(context, named, there, { nature: "read" });
  if (await gone.proves(answer, context, there)) return undefined;
  const role = isObject(answer.json) ? answer.json : {};
  if (answer.status !== 200 || role.Name !== name || typeof role.ID !== "string")
    throw errorOfRead(context, answer, named, there);
  return context.observe({ ...(region !== undefined && { region }), roleId: role.ID });
}

/** True if Nomad rejected a create because a role of this name exists. */
const isTaken = ({ status, text }: HttpResponse) =>
  status === 400 && /^role with name \S+ already exists$/.test(text.trim());

/** An ACL role (Nomad's API documentation, "ACL Roles"; Nomad 2.0.5, `nomad/structs/acl.go`). */
export default define({
  token: "scheduler:AclRole",
  product: {
    noun: "Nomad ACL role",
    terraform: "`nomad_acl_role`",
    docs: "https://developer.hashicorp.com/nomad/api-docs/acl/roles",
  },
  doc: "A Nomad ACL role: policies that tokens have by the role's name. The server needs ACLs enabled. Nomad has no check-and-set for roles, so Quarterdeck reads and compares the role just before a write. The token needs to be a management token.",
  section: "API: ACL roles of Nomad",
  service: scheduler,
  fields: {
    ...commonFields,
    name: field(
      z.string().regex(/^[a-zA-Z0-9-]{1,128}$/, "must contain only letters, digits and -, at most 128"),
      { doc: "Unique name of the role: letters, digits and `-`, at most 128. A rename happens in place." },
    ),
    region: regionField,
    description: descriptionField,
    policies: field(z.array(z.string().min(1)).min(1), {
      doc: "Names of the policies, which must exist.",
      unordered: true,
      spelling: policyNames,
    }),
    roleId: field(z.string().optional(), {
      doc: "ID of the role, which Nomad assigns.",
      role: "server's",
      wire: "ID",
    }),
  },
  where: place("[{region}@]{roleId}", { ...copiedPlace, fromResponse: { roleId: "ID" } }),
  life: object({
    reads: {
      one: get(path, { query: inRegion }),
      expects: { named: { roleId: "ID", name: "Name" } },
      absence: gone,
      list: namesIn("/acl/roles"),
    },
    writes: replaces({
      create: post("/acl/role", { query: inRegion, expects: ["ID", "Name"] }),
      update: post(path, { query: inRegion, expects: ["ID", "Name"] }),
      completeBody: (body, { current }) => ({ ...body, ID: current?.ID ?? "" }),
      returns: "object",
      // The server computes them.
      neverSentBack: ["ID", "Hash", "CreateIndex", "ModifyIndex"],
    }),
    creation: { existing: checksByReadAndRejection(isTaken, byName) },
    deletion: deletes(del(path, { query: inRegion, expects: "index" })),
  }),
});
