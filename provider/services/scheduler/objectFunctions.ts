import { z } from "zod";
import {
  type Address,
  convertToSchema,
  elementsIn,
  field,
  get,
  listFunction,
  type Observation,
  objectsFunction,
  readFunction,
  setting,
} from "../../core";
import { byToken, givenText } from "./lists";
import namespace from "./namespace";
import nodePool from "./nodePool";
import { nodeStub } from "./records/nodeStub";
import { inRegion, scheduler } from "./service";
import variable from "./variable";

const region = field(z.string().min(1).optional(), {
  doc: "Region to query. Default: the connection's, then the agent's.",
  location: "address",
});

const prefix = field(z.string().optional(), { doc: "Prefix of the node IDs.", role: "steering" });

const nodes = get("/nodes", { query: inRegion });

/** The address of an object that is named by `Name`. */
const byName = ({ Name: name }: Observation["body"]): Address => ({
  name: typeof name === "string" ? name : undefined,
});

/** Functions that read Nomad's objects other than jobs. */
export default {
  getNamespaces: objectsFunction(namespace, namespace.life.reads.list, {
    addressOf: byName,
    property: "namespaces",
    doc: "Lists Nomad namespaces. Only namespaces in which the token has a capability are visible.",
  }),
  getNodePools: objectsFunction(nodePool, nodePool.life.reads.list, {
    addressOf: byName,
    property: "nodePools",
    doc: "Lists Nomad node pools. Only node pools that the token may read are visible.",
  }),
  getVariable: readFunction(variable, {
    doc: "Reads a Nomad variable with its items, which are secret. A missing variable is an error. The token needs `variables:read`.",
  }),
  getRegions: listFunction({
    token: "scheduler:getRegions",
    doc: "Lists the names of all Nomad regions that the agent knows. The token needs no permission.",
    section: "API: regions",
    service: scheduler,
    fields: {},
    where: {},
    route: get("/regions"),
    pages: { by: "whole" },
    property: "regions",
    each: "eachRegion",
    element: z.string(),
    elements: ({ json }) => elementsIn(json),
  }),
  getNodes: listFunction({
    token: "scheduler:getNodes",
    doc: "Lists Nomad client nodes, page by page. The token needs `node:read`.",
    section: "API: nodes",
    service: scheduler,
    fields: { prefix, region },
    where: { defaults: { region: setting("region") } },
    route: nodes,
    pages: ({ dialect }) => byToken(dialect),
    query: (args) => ({ prefix: givenText(args.prefix) }),
    property: "nodes",
    each: "eachNode",
    element: nodeStub,
    elements: ({ json }) =>
      elementsIn(json).map((stub) => convertToSchema(nodeStub, stub, scheduler.naming) ?? {}),
  }),
};
