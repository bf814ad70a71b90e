import { type Contracts, INDEXES, SERVER } from "./contract";

/** The objects of Consul that are no configuration entries. */
export const OBJECTS: Contracts["resources"] = {
  "mesh:AclToken": {
    source: "`api.ACLToken`",
    fields: `
    AccessorID SecretID Description Policies{ID Name} Roles{ID Name} ServiceIdentities{ServiceName Datacenters}
    NodeIdentities{NodeName Datacenter} TemplatedPolicies{TemplateName TemplateVariables{Name} Datacenters} Local
    ExpirationTTL ExpirationTime Name AuthMethod AuthMethodNamespace Namespace Partition CreateTime Hash CreateIndex
    ModifyIndex`,
    notOffered: {
      ...INDEXES,
      SecretID: SERVER,
      ExpirationTime: "given as `ExpirationTTL`",
      Name: "no server stores it",
      AuthMethod: SERVER,
      AuthMethodNamespace: SERVER,
      CreateTime: SERVER,
      Hash: SERVER,
    },
  },
  "mesh:KeyValue": {
    source: "`api.KVPair`",
    fields: "Key Flags Value Namespace Partition Session LockIndex CreateIndex ModifyIndex",
    notOffered: { ...INDEXES, Session: "a lock belongs to a running process", LockIndex: SERVER },
  },
  "mesh:AclPolicy": {
    source: "`api.ACLPolicy`",
    fields: "ID Name Description Rules Datacenters Namespace Partition Hash CreateIndex ModifyIndex",
    notOffered: { ...INDEXES, ID: SERVER, Hash: SERVER },
  },
  "mesh:AclRole": {
    source: "`api.ACLRole`",
    fields: `
    ID Name Description Policies{ID Name} ServiceIdentities{ServiceName Datacenters}
    NodeIdentities{NodeName Datacenter} TemplatedPolicies{TemplateName TemplateVariables{Name} Datacenters}
    Namespace Partition Hash CreateIndex ModifyIndex`,
    notOffered: { ...INDEXES, ID: SERVER, Hash: SERVER },
  },
};
