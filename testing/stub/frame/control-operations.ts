import { z } from "zod";
import { StubControlError, type StubControls } from "../control";
import type { ServiceName } from "../service";
import type { FaultInput } from "./fault";
import type { RequestFilter } from "./matching";
import { RequestFilterSchema, ServiceNames } from "./matching-schema";

/** A request to the control API. */
export interface Call {
  readonly service: string | undefined;
  readonly query: URLSearchParams;
  readonly body: unknown;
}

/** One endpoint of the control API; returns `{}` if the operation has no result. */
export interface Operation {
  readonly method: "GET" | "POST" | "DELETE";
  readonly path: string;
  run(call: Call): Promise<unknown>;
}

/** Every endpoint of the control API. */
export function operationsOn(
  controls: StubControls,
  addresses: Readonly<Record<ServiceName, string>>,
): readonly Operation[] {
  return [
    { method: "GET", path: "/", run: async () => ({ addresses }) },
    {
      method: "POST",
      path: "/faults",
      run: async ({ body }) => {
        // The controls validate each fault, for callers of every kind.
        const { faults } = parseOperation(z.strictObject({ faults: z.array(z.custom<FaultInput>()) }), body);
        return { ids: await controls.fault(...faults) };
      },
    },
    { method: "GET", path: "/faults", run: async () => ({ faults: await controls.faults() }) },
    { method: "DELETE", path: "/faults", run: () => controls.clearFaults() },
    { method: "POST", path: "/faults/expect-used", run: () => controls.expectFaultsUsed() },
    {
      method: "GET",
      path: "/requests",
      run: async ({ query }) => ({ requests: await controls.requests(filterOf(query)) }),
    },
    { method: "DELETE", path: "/requests", run: () => controls.clearRequests() },
    {
      method: "POST",
      path: "/requests/await",
      run: async ({ body }) => {
        const { filter, count, patience } = parseOperation(Awaited, body);
        return { requests: await controls.awaitRequests(filter, count, patience) };
      },
    },
    { method: "GET", path: "/clock", run: async () => ({ now: await controls.now() }) },
    {
      method: "POST",
      path: "/clock",
      run: async ({ body }) => {
        const { advance } = parseOperation(z.strictObject({ advance: z.number().nonnegative() }), body);
        return { now: await controls.advance(advance) };
      },
    },
    {
      method: "POST",
      path: "/seed/:service",
      run: ({ service, body }) => controls.seed(parseOperation(ServiceNames, service), body),
    },
    {
      method: "POST",
      path: "/switches/:service",
      run: ({ service, body }) =>
        controls.configure(
          parseOperation(ServiceNames, service),
          parseOperation(z.record(z.string(), z.unknown()), body),
        ),
    },
    {
      method: "GET",
      path: "/dump/:service",
      run: ({ service }) => controls.dump(parseOperation(ServiceNames, service)),
    },
    { method: "POST", path: "/reset", run: () => controls.reset() },
  ];
}

const Awaited = z.strictObject({
  filter: RequestFilterSchema,
  count: z.int().positive().optional(),
  patience: z.int().positive().optional(),
});

/** Reads a filter from a query: `after` and `query` are JSON, every other condition is plain text. */
function filterOf(query: URLSearchParams): RequestFilter {
  const conditions = [...query].map(([name, value]) => {
    if (name !== "after" && name !== "query") return [name, value];
    try {
      return [name, JSON.parse(value)];
    } catch {
      throw new StubControlError(`the condition ${name} is not JSON`);
    }
  });
  return parseOperation(RequestFilterSchema, Object.fromEntries(conditions));
}

function parseOperation<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new StubControlError(z.prettifyError(result.error), { cause: result.error });
}
