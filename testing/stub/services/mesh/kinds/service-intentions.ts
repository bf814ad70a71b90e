import { serverError } from "../errors";
import { always, type Field, list, map, passedOver } from "../shape/field";
import { integer, text } from "../shape/scalars";
import { type Body, struct } from "../shape/struct";
import { defineKind, LONGEST_META_VALUE, placeOf, type ServiceId, serviceText } from "./define";
import {
  headerMatch,
  PATH_MATCH,
  validateHeader,
  validateMethods,
  validatePath,
  withUpperMethods,
} from "./http";
import { jwtRequirement, validateJwt } from "./jwt";
import { PLACED } from "./placement";

const PERMISSION = {
  Action: always(text),
  HTTP: struct({ ...PATH_MATCH, Header: list(headerMatch), Methods: list(text) }),
  JWT: jwtRequirement,
};

const SOURCE = {
  Name: always(text),
  Action: text,
  Permissions: list(struct(PERMISSION)),
  Precedence: always(integer),
  /** Fields of intentions older than configuration entries; only the server may set them. */
  LegacyID: passedOver,
  LegacyCreateTime: passedOver,
  LegacyUpdateTime: passedOver,
  LegacyMeta: map(text),
  Type: always(text),
  Description: text,
  ...PLACED,
  Peer: text,
  SamenessGroup: text,
};

type Source = Body<typeof SOURCE>;

const anywhere = struct(SOURCE);

/** A source in another cluster has no partition in this one. */
const source: Field<Source> = {
  ...anywhere,
  show(value, place) {
    const { Partition, ...rest } = anywhere.show(value, place) ?? {};
    const isElsewhere = value?.Peer !== undefined || value?.SamenessGroup !== undefined;
    return isElsewhere ? rest : { ...rest, Partition };
  },
};

/** The callers that may reach a service. */
export const serviceIntentions = defineKind({
  kind: "service-intentions",
  write: ["intentions"],
  read: ["intentions"],
  fields: { Sources: always(list(source)), JWT: jwtRequirement },
  normalize: (body, self) => ({
    ...body,
    ...(body.Sources !== undefined && {
      Sources: body.Sources.map((each) => normalizeSource(each, self)).sort(
        (a, b) => b.Precedence - a.Precedence,
      ),
    }),
  }),
  validate({ Sources = [], JWT }, self) {
    validateWildcards(self);
    validateJwt(JWT);
    if (Sources.length === 0) throw serverError("At least one source is required");
    const seen = new Set<string>();
    for (const [index, each] of Sources.entries()) {
      validateSource(each, `Sources[${index}]`, self);
      const named = JSON.stringify(serviceText(serviceOf(each, self)));
      const from = [
        ...(each.Peer === undefined ? [] : [`peer(${JSON.stringify(each.Peer)}) `]),
        ...(each.SamenessGroup === undefined
          ? []
          : [`sameness-group(${JSON.stringify(each.SamenessGroup)}) `]),
      ].join("");
      if (seen.has(from + named))
        throw serverError(`Sources[${index}] defines ${from}${named} more than once`);
      seen.add(from + named);
    }
  },
});

/** True if permissions per request apply to one of the sources; the service must then use HTTP. */
export function usesPermissions({ Sources = [] }: { readonly Sources?: readonly Source[] }): boolean {
  return Sources.some(({ Permissions = [] }) => Permissions.length > 0);
}

/** The JWT providers that intentions name, for the service or for single requests. */
export function jwtProvidersOf({ JWT, Sources = [] }: ReturnType<typeof serviceIntentions.of>): string[] {
  const requirements = [
    JWT,
    ...Sources.flatMap(({ Permissions = [] }) => Permissions.map((each) => each.JWT)),
  ];
  const names = requirements.flatMap((each) => each?.Providers ?? []).flatMap(({ Name }) => Name ?? []);
  return [...new Set(names)];
}

function serviceOf(each: Source, self: ServiceId): ServiceId {
  return { name: each.Name ?? "", namespace: placeOf(each, self) };
}

/** "Intention sources sorted by a computed `Precedence`". */
function normalizeSource(each: Source, self: ServiceId) {
  const { Permissions } = each;
  return {
    ...each,
    Type: each.Type ?? "consul",
    Precedence: precedence(self, serviceOf(each, self)),
    ...(Permissions !== undefined && {
      Permissions: Permissions.map((permission) =>
        permission.HTTP === undefined
          ? permission
          : { ...permission, HTTP: withUpperMethods(permission.HTTP) },
      ),
    }),
  };
}

/** 9 if destination and source are exact; the destination's wildcards weigh more than the source's. */
function precedence(destination: ServiceId, from: ServiceId): number {
  return 3 + 3 * exactness(destination) - (2 - exactness(from));
}

function exactness({ name, namespace }: ServiceId): number {
  if (namespace === "*") return 0;
  return name === "*" ? 1 : 2;
}

function validateSource(each: Source, at: string, self: ServiceId): void {
  const { Name = "", Action, Permissions = [], Peer, SamenessGroup, Partition, Description = "" } = each;
  if (Name === "") throw serverError(`${at}.Name is required`);
  validateWildcards(serviceOf(each, self), `${at}.`);
  if (Peer?.includes("*")) throw serverError(`${at}.Peer: cannot use wildcard '*' in peer`);
  if (Peer !== undefined && Partition !== undefined) {
    throw serverError(`${at}.Peer: cannot set Peer and Partition at the same time.`);
  }
  if (SamenessGroup !== undefined && Partition !== undefined) {
    throw serverError(`${at}.SamenessGroup: cannot set SamenessGroup and Partition at the same time`);
  }
  if (SamenessGroup !== undefined && Peer !== undefined) {
    throw serverError(`${at}.SamenessGroup: cannot set SamenessGroup and Peer at the same time`);
  }
  if (Description.length > LONGEST_META_VALUE) {
    throw serverError(`${at}.Description exceeds maximum length ${LONGEST_META_VALUE}`);
  }
  if (each.LegacyMeta !== undefined) throw serverError(`${at}.LegacyMeta must be omitted`);
  if (Permissions.length === 0 && !isAction(Action)) {
    throw serverError(`${at}.Action must be set to 'allow' or 'deny'`);
  }
  if (Permissions.length > 0 && Action !== undefined) {
    throw serverError(`${at}.Action must be omitted if Permissions are specified`);
  }
  if (Permissions.length > 0 && exactness(self) < 2) {
    throw serverError(`${at}.Permissions cannot be specified on intentions with wildcarded destinations`);
  }
  if (each.Type !== undefined && each.Type !== "consul")
    throw serverError(`${at}.Type must be set to 'consul'`);
  for (const [index, permission] of Permissions.entries()) {
    validatePermission(permission, `${at}.Permissions[${index}]`);
  }
}

function validatePermission({ Action, HTTP, JWT }: Body<typeof PERMISSION>, at: string): void {
  if (!isAction(Action)) throw serverError(`${at}.Action must be set to 'allow' or 'deny'`);
  if (HTTP === undefined) throw serverError(`${at}.HTTP is required`);
  const paths = validatePath(HTTP, `${at}.HTTP`, ".");
  for (const [index, header] of (HTTP.Header ?? []).entries()) {
    validateHeader(header, `${at}.HTTP.Header[${index}]`);
  }
  validateMethods(HTTP.Methods, `${at}.HTTP.Methods`);
  if (paths === 0 && HTTP.Header === undefined && HTTP.Methods === undefined) {
    throw serverError(`${at}.HTTP should not be empty`);
  }
  validateJwt(JWT);
}

function isAction(action: string | undefined): boolean {
  return action === "allow" || action === "deny";
}

function validateWildcards({ name, namespace }: ServiceId, at = ""): void {
  for (const [field, value] of [
    ["Namespace", namespace],
    ["Name", name],
  ] as const) {
    if (value !== "*" && value.includes("*")) {
      throw serverError(`${at}${field}: wildcard character '*' cannot be used with partial values`);
    }
  }
  if (namespace === "*" && name !== "*") {
    throw serverError(`${at}Name: exact value cannot follow wildcard namespace`);
  }
}
