import { isObject, type Members } from "../../../json";
import { serverError } from "../errors";
import type { Operation } from "../operation";
import { type AclKind, type AclObject, AclStore, type Known } from "./store";

const NAME = /^[a-z0-9]([a-z0-9\-_]*[a-z0-9])?$/;

/** The members of a link to another object. */
export const LINK: Known = { ID: null, Name: null };

/** The identities and templated policies of a role or a token. */
export const IDENTITIES: Known = {
  ServiceIdentities: { ServiceName: null, Datacenters: null },
  NodeIdentities: { NodeName: null, Datacenter: null },
  TemplatedPolicies: {
    TemplateID: null,
    TemplateName: null,
    TemplateVariables: { Name: null },
    Datacenters: null,
  },
};

/** The templates of Consul 1.22, and the end of the ID of each. */
const TEMPLATES: Readonly<Record<string, string>> = {
  "builtin/service": "3",
  "builtin/node": "4",
  "builtin/dns": "5",
  "builtin/nomad-server": "6",
  "builtin/api-gateway": "7",
  "builtin/nomad-client": "8",
};
const NAMED: readonly string[] = ["builtin/service", "builtin/node", "builtin/api-gateway"];

const objectsIn = (value: unknown): readonly Members[] =>
  Array.isArray(value) ? value.filter(isObject) : [];

/** The linked objects in a body, as they are stored: only by their IDs, each once. */
export function storedLinks(operation: Operation, kind: AclKind, given: Members): readonly Members[] {
  const store = new AclStore(operation, kind, given);
  const ids = objectsIn(given[kind === "policy" ? "Policies" : "Roles"]).map(
    ({ ID: id = "", Name: name = "" }) => {
      const found = id === "" ? store.byName(name) : store.byId(String(id));
      const by = id === "" ? `name ${JSON.stringify(name)}` : `ID ${JSON.stringify(id)}`;
      if (found === undefined) throw serverError(`No such ACL ${kind} with ${by}`);
      return found.ID;
    },
  );
  return [...new Set(ids)].map((ID) => ({ ID }));
}

/** Links with the current names of the objects; links to deleted objects are left out. */
function shownLinks(
  operation: Operation,
  kind: AclKind,
  object: AclObject,
  value: unknown,
): readonly Members[] {
  const store = new AclStore(operation, kind, object);
  return objectsIn(value).flatMap(({ ID }) => {
    const found = store.byId(String(ID));
    return found === undefined ? [] : [{ ID, Name: found.Name }];
  });
}

/** The identities in a body, as they are stored. */
export function storedIdentities(given: Members, of: "role" | "token"): Members {
  const services = objectsIn(given.ServiceIdentities).map(({ ServiceName: name = "", Datacenters }) => {
    if (name === "") throw serverError(`Service identity is missing the service name field on this ${of}`);
    if (!NAME.test(String(name)))
      throw serverError(
        `Service identity ${JSON.stringify(name)} has an invalid name. Only lowercase alphanumeric characters, '-' and '_' are allowed`,
      );
    return { ServiceName: name, ...unlessEmpty("Datacenters", Datacenters) };
  });
  const nodes = objectsIn(given.NodeIdentities).map(({ NodeName = "", Datacenter = "" }) => {
    if (NodeName === "") throw serverError(`Node identity is missing the node name field on this ${of}`);
    if (Datacenter === "") throw serverError(`Node identity is missing the datacenter field on this ${of}`);
    return { NodeName, Datacenter };
  });
  const templated = objectsIn(given.TemplatedPolicies).map((one) => templatedPolicy(one, of));
  return {
    ...unlessEmpty("ServiceIdentities", services),
    ...unlessEmpty("NodeIdentities", nodes),
    ...unlessEmpty("TemplatedPolicies", templated),
  };
}

function templatedPolicy(
  { TemplateName: given, TemplateVariables, Datacenters }: Members,
  of: string,
): Members {
  const name = String(given ?? "");
  const end = Object.hasOwn(TEMPLATES, name) ? TEMPLATES[name] : undefined;
  if (end === undefined)
    throw serverError(
      of === "token"
        ? `no such ACL templated policy with Name ${JSON.stringify(name)}`
        : `templated policy with an invalid templated name: ${name} for this role`,
    );
  const variables = isObject(TemplateVariables) ? TemplateVariables.Name : undefined;
  if (NAMED.includes(name) && (variables ?? "") === "")
    throw serverError(
      `validation error for templated policy ${JSON.stringify(name)}: (root): name is required`,
    );
  return {
    TemplateID: `00000000-0000-0000-0000-00000000000${end}`,
    TemplateName: name,
    ...((variables ?? "") !== "" && { TemplateVariables: { name: variables } }),
    ...unlessEmpty("Datacenters", Datacenters),
  };
}

/** Reads omit empty lists. */
export function unlessEmpty(name: string, value: unknown): Members {
  return Array.isArray(value) && value.length > 0 ? { [name]: value } : {};
}

/** An object with the current names of its policies and roles. */
export function withNames<Object extends AclObject>(operation: Operation, object: Object): Object {
  const { Policies, Roles, ...rest } = object;
  return {
    ...rest,
    ...unlessEmpty("Policies", shownLinks(operation, "policy", object, Policies)),
    ...unlessEmpty("Roles", shownLinks(operation, "role", object, Roles)),
  } as Object;
}
