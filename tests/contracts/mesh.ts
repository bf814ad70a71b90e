import { formatJson, type Json, parseJson } from "../../provider/core/value/json";
import { MeshService } from "../../testing/stub/services/mesh/service";
import { type Answered, send } from "../../testing/tests/stub/in-process";
import { valueAt, without } from "./bodies";
import type { Product, Writer, Written } from "./cases";
import { requirements } from "./meshBodies";

/** Objects to which the requests refer. */
const SEED = {
  tokens: { manager: { management: true } },
  namespaces: ["own"],
  partitions: ["own"],
  entries: [
    ...["default", "own"].map((partition) => ({
      partition,
      entry: { Kind: "proxy-defaults", Name: "global", Config: { protocol: "http" } },
    })),
    ...["own", "staff"].map((Name) => ({
      entry: { Kind: "jwt-provider", Name, JSONWebKeySet: { Local: { Filename: "/keys.json" } } },
    })),
    { entry: { Kind: "service-defaults", Name: "tcp-service", Protocol: "tcp" } },
    { entry: { Kind: "service-resolver", Name: "with-subset", Subsets: { own: {} } } },
  ],
};

const ACL: Readonly<Record<string, string>> = {
  "mesh:AclPolicy": "policy",
  "mesh:AclRole": "role",
  "mesh:AclToken": "token",
};

async function open(token: string): Promise<Writer> {
  const service = new MeshService({
    seed: SEED,
    switches: { dialect: "real", edition: "enterprise", release: "later" },
  });
  const request = (method: string, path: string, body?: Json) =>
    send(service, method, path, { headers: { "x-consul-token": "manager" }, body });
  const kind = ACL[token];
  const ids = new Map<string, string>();
  for (const linked of kind === undefined ? [] : ["policy", "role"])
    ids.set(`the ${linked}`, (await request("PUT", `/v1/acl/${linked}`, { Name: `the-${linked}` })).body.ID);
  return async (body) => {
    const place = `?ns=${valueAt(body, "Namespace") ?? ""}&partition=${valueAt(body, "Partition") ?? ""}`;
    if (token === "mesh:KeyValue") {
      const written = await request("PUT", "/v1/txn", [{ KV: { Verb: "set", ...body } }]);
      return written.status === 200
        ? found(await request("GET", `/v1/kv/${body.Key}${place}`))
        : refused(written);
    }
    if (kind === undefined) {
      const written = await request("PUT", "/v1/config", body);
      const path = `/v1/config/${body.Kind}/${body.Name ?? "mesh"}${place}`;
      return written.body === "true\n" ? found(await request("GET", path)) : refused(written);
    }
    const withIds = [...ids].reduce((text, [name, id]) => text.replaceAll(name, id), formatJson(body));
    const written = await request("PUT", `/v1/acl/${kind}`, parseJson(withIds));
    if (written.status !== 200) return refused(written);
    const { ID, AccessorID = ID } = written.body;
    const answer = await request("GET", `/v1/acl/${kind}/${AccessorID}${place}`);
    const withNames = [...ids].reduce((text, [name, id]) => text.replaceAll(id, name), answer.text);
    return found({ ...answer, body: parseJson(withNames) });
  };
}

function found({ status, body }: Answered): Written {
  if (status !== 200) return { rejection: `a read returns ${status}` };
  return { read: without(body, "Hash"), dump: "" };
}

const refused = ({ status, text }: Answered): Written => ({ rejection: `${status} ${text}` });

/** Consul's mock server. */
export const mesh: Product = {
  service: "mesh",
  ...requirements,
  returned: [
    [/ ExpirationTTL$/, { at: "ExpirationTime", value: "1970-01-01T00:01:00.000Z" }],
    [/TemplateVariables.Name$/, { at: "TemplatedPolicies.TemplateVariables.name" }],
    // Nanoseconds.
    [
      /(Interval|BaseEjectionTime|Filter.*Timeout|Config.TTL|CacheDuration|JWKSCluster.ConnectTimeout)$/,
      { value: 60_000_000_000 },
    ],
  ],
  unread: [],
  hasElsewhere: true,
  dropped: [],
  treatments: [
    [/:AclToken (SecretID|ExpirationTime)$/, "stored"],
    // The server's type has no such members in the community edition.
    [/:AclToken (Name|AuthMethodNamespace)$/, "rejected"],
    // "AuthMethod field is disallowed outside of login".
    [/:AclToken AuthMethod$/, "rejected"],
    [/Expose.Paths.ParsedFromCheck$/, "stored"],
    [/UpstreamConfig.Defaults.(Name|Namespace|Partition)$/, "rejected"],
    [/UpstreamConfig.Defaults.Peer$/, "stored"],
    [/Limits.PassiveHealthCheck$/, "stored"],
    [/Sources.LegacyMeta$/, "rejected"],
    // An ID belongs in the path.
    [/:(AclPolicy|AclRole) ID$/, "rejected"],
  ],
  open,
  // The decoders of entries and of ACL objects reject unknown names, and the one of transactions does not.
  unknown: (token) => (token === "mesh:KeyValue" ? "ignored" : "rejected"),
  unknownValue: null,
  further: [
    // The server's types of entries have these, although the types of its Go package do not.
    /:(?!Acl|KeyValue)\w+ Hash$/,
    /:(Mesh|ExportedServices) Kind$/,
    /:ExportedServices Namespace$/,
    // The server computes it from `Config.protocol`, and no read returns it.
    /:ProxyDefaults Protocol$/,
    // A write returns the ID of a template, and a later write may contain it.
    / TemplatedPolicies.TemplateID$/,
  ],
};
