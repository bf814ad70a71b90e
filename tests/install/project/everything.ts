import * as pulumi from "@pulumi/pulumi";
import * as quarterdeck from "pulumi-quarterdeck";
import { filter, mesh, scheduler, secrets, workspaces } from "pulumi-quarterdeck";
import { handler } from "pulumi-quarterdeck/provider";
import {
  embeddedCommand,
  type Fault,
  type FaultInput,
  type Stub,
  startStub,
} from "pulumi-quarterdeck-testing";

export type Host = typeof import("pulumi-quarterdeck/host");

const own = new secrets.CloudRootRotation("own", { triggers: ["2030-Q1"] });
const app = new workspaces.Workspace("app", { name: "app" }, { dependsOn: own });
const web = new mesh.ServiceDefaults("web", { name: "web", spec: { protocol: "http" } });
export const id: pulumi.Output<string> = app.id;
export const isOurs: boolean = app instanceof pulumi.CustomResource && mesh.ServiceDefaults.isInstance(web);

// @ts-expect-error a job needs one of its forms
export const nothing = () => new scheduler.Job("nothing", {});
export const job = (args: scheduler.JobArgs, more: Partial<scheduler.JobArgs>) => [
  new scheduler.Job("given", { ...args, purge: true }),
  new scheduler.Job("spread", { ...more, hcl: "job {}" }),
];

export async function names(signal: AbortSignal): Promise<string[]> {
  const mine = filter.and(filter.selector("Type").equals("service"));
  const found: string[] = [];
  for await (const job of scheduler.eachJob({ namespace: "*", filter: mine }, { signal }))
    found.push(String(job.ID));
  for await (const { name } of quarterdeck.workspaces.eachWorkspace({ tags: ["prod"] }))
    found.push(String(name));
  return found;
}

export async function tested(): Promise<Fault | undefined> {
  const stub: Stub = await startStub({ mesh: { switches: { dialect: "real" } } });
  const lost: FaultInput = { kind: "status", match: { service: "mesh" }, status: 503 };
  await stub.fault(lost);
  const [report] = await stub.faults();
  await stub.stop();
  return report?.fault;
}

export const parts = [handler("scheduler:Job"), embeddedCommand()];
