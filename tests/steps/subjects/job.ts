import fc from "fast-check";
import type { Json } from "../../../provider/core/value/json";
import job from "../../../provider/services/scheduler/job";
import { jobTyped } from "../../../provider/services/scheduler/jobDocument";
import { SchedulerService } from "../../../testing/stub/services/scheduler/service";
import { switchesFor } from "../../dialect";
import { expectAccepted } from "../rejectedRequest";
import type { Edit, Subject } from "../subject";
import { World } from "../world";
import { defined, maybe } from "./arbitraries";
import { jobAsText } from "./jobText";

const headers = { "x-sched-token": "manager", "content-type": "application/json" };
const SEED = { tokens: { manager: { management: true } } };

type Members = { [member: string]: Json };

const task = fc
  .record({
    Name: fc.constantFrom("server", "sidekick"),
    Driver: fc.constantFrom("docker", "exec"),
    Config: maybe(fc.constantFrom({ image: "web:1" }, { image: "web:2", args: ["-v"] })),
    Env: maybe(fc.dictionary(fc.constantFrom("LEVEL", "a.b", "constructor"), fc.constantFrom("", "info"))),
    KillTimeout: maybe(fc.constantFrom(5_000_000_000, 20_000_000_000)),
    Resources: maybe(fc.record({ CPU: fc.constantFrom(100, 500), MemoryMB: fc.constantFrom(128, 300) })),
  })
  .map(defined);

const group = fc
  .record({
    Name: fc.constantFrom("web", "api"),
    Count: maybe(fc.integer({ min: 1, max: 5 })),
    Meta: maybe(fc.dictionary(fc.constantFrom("owner", "cost centre"), fc.constantFrom("x", "y"))),
    Scaling: fc.option(fc.constant({ Min: 1, Max: 10, Enabled: true }), { nil: undefined, freq: 4 }),
    Tasks: fc.uniqueArray(task, { minLength: 1, maxLength: 2, selector: ({ Name }) => Name }),
  })
  .map(defined);

const documentOf = (id: string) =>
  fc
    .record({
      ID: fc.constant(id),
      Type: maybe(fc.constant("service")),
      Priority: maybe(fc.constantFrom(50, 70)),
      Datacenters: maybe(fc.constantFrom(["dc1"], ["dc2", "dc1"], ["*"])),
      Meta: maybe(fc.dictionary(fc.constantFrom("team", "tier"), fc.constantFrom("a", "b"))),
      TaskGroups: fc.uniqueArray(group, { minLength: 1, maxLength: 2, selector: ({ Name }) => Name }),
    })
    .map(defined);

/** The programs of one job, by the property that contains it. */
export function jobForms(id: string) {
  const document = documentOf(id);
  const json = fc.record({
    purge: fc.constant(true),
    json: fc.oneof(
      document,
      document.map((value) => JSON.stringify(value)),
      document.map((value) => JSON.stringify({ Job: value }, null, 2)),
    ),
  });
  const spec = fc.record({
    purge: fc.constant(true),
    spec: document.map((value) => jobTyped.restore?.(value) ?? null),
  });
  const hcl = fc
    .record({ document, comment: fc.constantFrom("one way", "another"), byName: fc.boolean() })
    .map(({ document: { Priority, ...rest }, comment, byName }) => ({
      purge: true,
      hcl: jobAsText({ ...rest, ...(Priority !== undefined && { Priority }) }, comment),
      ...(Priority !== undefined && {
        variables: byName ? { priority: Priority } : `priority = ${Priority}`,
      }),
    }));
  return { json, spec, hcl };
}

/** Another user's edits of a job. */
const jobEdits: Readonly<Record<string, (found: Members, value: Json) => Members>> = {
  priority: (found, value) => ({ ...found, Priority: value }),
  meta: (found, value) => ({ ...found, Meta: { ...(found.Meta as Members | null), touched: value } }),
  count: (found, value) => ({
    ...found,
    TaskGroups: (found.TaskGroups as Members[]).map((one, index) =>
      index === 0 ? { ...one, Count: value } : one,
    ),
  }),
  driver: (found, value) => ({
    ...found,
    TaskGroups: (found.TaskGroups as Members[]).map((one) => ({
      ...one,
      Tasks: (one.Tasks as Members[]).map((own) => ({ ...own, Driver: value })),
    })),
  }),
};

/** A job of the namespace `default`, in every form. */
export function jobSubjectOf(id: string): Subject {
  const { json, spec, hcl } = jobForms(id);
  return {
    definition: job,
    world: async () =>
      new World(new SchedulerService({ seed: SEED, random: () => 0.5, switches: switchesFor(job) }), job, {
        token: "manager",
      }),
    programs: fc.oneof(
      { weight: 2, arbitrary: json },
      { weight: 1, arbitrary: spec },
      { weight: 1, arbitrary: hcl },
    ),
    later: { spec, hcl },
    edits: fc.oneof<fc.Arbitrary<Edit>[]>(
      fc.record({
        property: fc.constant("json"),
        value: fc.record({ priority: fc.constantFrom(50, 60, 70) }),
      }),
      fc.record({
        property: fc.constant("json"),
        value: fc.record({ meta: fc.constantFrom("by hand", "") }),
      }),
      fc.record({
        property: fc.constant("json"),
        value: fc.record({ count: fc.integer({ min: 1, max: 5 }) }),
      }),
      fc.record({ property: fc.constant("json"), value: fc.record({ driver: fc.constant("raw_exec") }) }),
    ),
    async edit(world, _resource, { value }) {
      const answered = await world.send("GET", `/v1/job/${id}`, undefined, headers);
      expectAccepted(answered);
      const { json: found } = answered;
      // The stub returns a job, and an edit has the name of a function above, and its value.
      const Job = Object.entries(value as Members).reduce(
        (edited, [name, to]) => jobEdits[name]?.(edited, to) ?? edited,
        found as Members,
      );
      const answer = await world.send("POST", "/v1/jobs", { Job }, headers);
      expectAccepted(answer);
    },
    // A group with `Scaling` keeps its count, which the autoscaler manages.
    isNoLongerLookedAt: (path, after) =>
      path.endsWith(".Count") && after.has(path.replace(/\.Count$/, ".Scaling.Min")),
    async takeAway(world) {
      const answer = await world.send("DELETE", `/v1/job/${id}?purge=true`, undefined, headers);
      expectAccepted(answer);
    },
    // The service parses HCL before the job is registered.
    createTakes: ({ hcl }) => [...(hcl === undefined ? [] : ["POST"]), "POST", "GET"],
  };
}

/** The job `web`. */
export const jobSubject = jobSubjectOf("web");
