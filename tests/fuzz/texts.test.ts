import { baselineIn, ignoreRule, ignoreRules, UnreadableChoice } from "../../cli/drift/choice";
import { inside, itemsIn, Unreadable, yamlEntries } from "../../cli/new/yamlLines";
import { resourcesIn, UnreadableState } from "../../cli/state/deployment";
import recordsInState from "../../cli/state/known";
import { catalog } from "../../provider/catalog";
import { decodeBody } from "../../provider/core/http/decode";
import { describeWords } from "../../provider/core/http/describe";
import { ExchangeFailure } from "../../provider/core/http/exchange";
import { check } from "../../provider/core/operations/check";
import { connect } from "../../provider/core/requests/connection";
import { ConfigurationError } from "../../provider/core/requests/given";
import { parseDuration } from "../../provider/core/value/duration";
import { formatJson, type Json, parseJson } from "../../provider/core/value/json";
import * as spellings from "../../provider/core/value/spelling";
import job from "../../provider/services/scheduler/job";
import { secondsIn } from "../../provider/services/secrets/durations";
import { ldif } from "../../provider/services/secrets/ldif";
import { SchedulerService } from "../../testing/stub/services/scheduler/service";
import { Scene, TOKENS } from "../../testing/tests/stub/scheduler-scene";
import { chance } from "../faults/pairs";
import { rounds } from "../rounds";
import { World } from "../steps/world";
import { mangledBytes, mangledJson, mangledText, ODD_TEXTS, oneOf } from "./mangled";
import { Watched } from "./watched";

/** A management token. */
const MANAGER = { "x-sched-token": TOKENS.manager };
const ROUNDS = rounds(4000, 150);
const SEED = Number(process.env.QUARTERDECK_SEED ?? 1);
const random = chance(SEED);

const watched = new Watched();
afterAll(() => watched.end());

/** Runs a decoder on many strings: mangled seeds, and unrelated strings. */
async function triedOn(
  seeds: readonly [string, ...string[]],
  decode: (text: string) => unknown,
  isOurs: (error: unknown) => boolean = () => false,
): Promise<void> {
  const before = watched.wrong.length;
  for (let round = 0; round < ROUNDS; round += 1) {
    const text = random() < 0.15 ? oneOf(ODD_TEXTS, random) : mangledText(oneOf(seeds, random), random);
    await watched.try(JSON.stringify(text).slice(0, 500), () => decode(text), isOurs);
  }
  expect(watched.wrong.slice(before)).toEqual([]);
}

const isA =
  (...classes: (new (...given: never[]) => Error)[]) =>
  (error: unknown) =>
    classes.some((one) => error instanceof one);

const JOB_TEXT = `{"ID":"web","Datacenters":["*"],"TaskGroups":[{"Name":"a","Count":2,"Tasks":[{"Name":"t","Driver":"exec","Config":{"command":"/bin/sleep","args":["1"]},"Env":{"K":"v"},"KillTimeout":5000000000}]}]}`;
const HCL_TEXT = `variable "n" {
  type    = number
  default = 2
}
job "web" {
  datacenters = ["dc1"]
  group "a" {
    count = var.n
    task "t" {
      driver = "exec"
      config {
        command = "/bin/sh"
        args    = ["-c", "echo \${NOMAD_ALLOC_ID}"]
      }
      template { data = <<EOT
{{ key "x" }}
EOT
        destination = "local/x"
      }
    }
  }
}
`;

test("parseJson accepts the same texts as JSON.parse, and formatJson preserves the value", async () => {
  const seeds = [JOB_TEXT, '{"a":[1,-0.5e3,"\\u00e9",null,true,18446744073709551615]}'] as const;
  await triedOn(seeds, (text) => {
    let isJson = true;
    try {
      JSON.parse(text);
    } catch {
      isJson = false;
    }
    let value: Json | undefined;
    try {
      value = parseJson(text);
    } catch (error) {
      if (isJson) throw error;
      return;
    }
    if (!isJson) throw new Error("it is no JSON");
    const written = formatJson(value);
    if (formatJson(parseJson(written)) !== written) throw new Error("it is read as something else");
  });
});

describe.each(Object.entries(catalog))("IDs of a %s", (_, load) => {
  test("are rejected, or parsed to an address that formats to the same ID again", async () => {
    const { where } = await load();
    const parts = where.id.template.replaceAll(/[{}]/g, "");
    await triedOn([parts, `prod:${parts}`, "a%2Fb/c%3Ad", ...where.id.others], (text) => {
      const parsed = where.id.parse(text);
      if (parsed === undefined || parsed.omitted.length > 0) return;
      // The formatted ID contains the defaults of omitted parts, and no parts that only another form has.
      const id = where.id.format(parsed.address, parsed.connection);
      const again = where.id.parse(id);
      expect(again?.address).toMatchObject(
        Object.fromEntries(
          Object.entries(parsed.address).filter(([name]) => where.id.template.includes(`{${name}}`)),
        ),
      );
      expect(where.id.format(again?.address ?? {}, again?.connection)).toBe(id);
    });
  });
});

test("durations are never parsed to NaN", async () => {
  await triedOn(["24h", "1h30m", "86400", "+.5h", "1m30s500ms", "-3d", "9".repeat(300)], (text) => {
    for (const unit of [1, 1e9]) expect(parseDuration(text, unit)).not.toBeNaN();
    expect(secondsIn(text)).not.toBeNaN();
  });
});

const OWN = { ...spellings, ldif } as unknown as Readonly<Record<string, Partial<spellings.Spelling>>>;
const SPELLINGS = Object.entries(OWN).filter(([, one]) => typeof one?.canonical === "function");

describe.each(SPELLINGS)("values in the spelling %s", (_, spelling) => {
  test("have an idempotent canonical form, and can be encoded and restored", async () => {
    const { canonical, encode, restore } = spelling as spellings.Spelling;
    const seeds = [
      "1h30m",
      "a,b , c",
      '{"a": [1]}',
      "dn: cn=x\nchangetype: add",
      "2030-01-01T00:00:00Z",
    ] as const;
    await triedOn([...seeds, Buffer.from("dn: cn=x").toString("base64")], (text) => {
      const value = random() < 0.3 ? mangledJson([text, { a: text }, 7], random) : text;
      const once = canonical(value);
      expect(canonical(once)).toEqual(once);
      encode?.(value);
      restore?.(once);
    });
  });
});

describe.each([
  ["json", [JOB_TEXT]],
  ["hcl", [HCL_TEXT, JOB_TEXT]],
] as const)("a job as %s", (property, seeds) => {
  test("is checked without an exception", async () => {
    const { connection } = new World(new SchedulerService({ switches: { dialect: "neutral" } }), job, {});
    await triedOn(seeds, (text) => check(job, { connection }, { [property]: text, variables: text }));
  });

  test("is checked without an exception if it is an object of any shape", async () => {
    const { connection } = new World(new SchedulerService({ switches: { dialect: "neutral" } }), job, {});
    await triedOn([JOB_TEXT], () =>
      check(job, { connection }, { [property]: mangledJson(parseJson(JOB_TEXT), random) }),
    );
  });
});

test("the scheduler stub parses job HCL, or returns 400 or 500", async () => {
  const world = new World(new Scene().service, job, {});
  const answered = new Set<number>();
  await triedOn([HCL_TEXT], async (JobHCL) => {
    const { status } = await world.send("POST", "/v1/jobs/parse", { JobHCL, Canonicalize: true }, MANAGER);
    expect([200, 400, 500]).toContain(status);
    answered.add(status);
  });
  expect(answered.size).toBeGreaterThan(1);
});

test("the scheduler stub accepts a filter, or returns 400 or 500", async () => {
  const world = new World(new Scene().service, job, {});
  const seeds = ['Type == "service" and not (Meta["a b"] contains `x`)', "Name matches /a+/ or ID in Tags"];
  const answered = new Set<number>();
  await triedOn(["Status is empty", ...seeds], async (filter) => {
    const { status } = await world.send(
      "GET",
      `/v1/jobs?filter=${encodeURIComponent(filter.toWellFormed())}`,
      undefined,
      MANAGER,
    );
    expect([200, 400, 500]).toContain(status);
    answered.add(status);
  });
  expect(answered.size).toBeGreaterThan(1);
});

test("a body is decoded or rejected with an ExchangeFailure for any content-encoding", async () => {
  await triedOn(
    ["gzip", "br", "deflate, gzip", "identity", "x-gzip,,gzip"],
    (encoding) => {
      const body = mangledBytes(Buffer.from("1f8b0800000000000003ab5602009e6f6ec202000000", "hex"), random);
      return decodeBody(body, encoding, 1_000_000);
    },
    isA(ExchangeFailure),
  );
});

test("describeWords accepts any error body", async () => {
  const { service } = job;
  await triedOn(
    ['{"errors":["a",{"detail":"b"}]}', "<html><body>no</body></html>", "Permission denied"],
    (text) => {
      let json: Json | undefined;
      try {
        json = parseJson(text);
      } catch {}
      const answer = {
        status: 500,
        headers: { "content-type": "application/json" },
        text,
        json,
        attempts: 1,
      };
      describeWords(answer, service.errorMessage, ["secret"]);
    },
  );
});

test("a configuration is accepted, or rejected with a ConfigurationError", async () => {
  const { service } = job;
  const settings = '{"address":"http://127.0.0.1:1","token":"t","namespace":"n","timeout":"7","caFile":"/x"}';
  await triedOn(
    [settings, `{"prod":{"aliases":["p"],"scheduler":${settings}}}`],
    (text) => {
      const name = random() < 0.4 ? "prod" : undefined;
      connect(
        service,
        name,
        { get: () => text, env: { QUARTERDECK_SCHEDULER_ADDRESS: text } },
        {
          runtime: { now: Date.now, sleep: async () => undefined, after: () => () => undefined, random },
          userAgent: "test",
          warn: () => undefined,
        },
      );
    },
    isA(ConfigurationError),
  );
});

const STATE = formatJson({
  version: 3,
  deployment: {
    manifest: { time: "2030-01-01T00:00:00Z" },
    resources: [
      {
        urn: "urn:pulumi:dev::p::pulumi-nodejs:dynamic/quarterdeck/scheduler:Job::web",
        custom: true,
        id: "default/web",
        type: "pulumi-nodejs:dynamic/quarterdeck/scheduler:Job",
        inputs: { json: JOB_TEXT },
        outputs: {
          __quarterdeck: '{"v":1,"address":{"jobId":"web"},"applied":{},"settled":{}}',
          jobId: "web",
        },
        provider: "urn:pulumi:dev::p::pulumi:providers:pulumi-nodejs::default::x",
      },
    ],
  },
});

test("an exported state is parsed, or rejected with UnreadableState or UnreadableRecordsError", async () => {
  const isOurs = (error: unknown) =>
    isA(UnreadableState)(error) || (error instanceof Error && error.name === "UnreadableRecordsError");
  await triedOn(
    [STATE],
    (text) => {
      for (const state of [text, Buffer.from(text), formatJson(mangledJson(parseJson(STATE), random))]) {
        for (const { inputs, outputs, name } of resourcesIn(state))
          expect([inputs, outputs, name]).toHaveLength(3);
        recordsInState(state, []);
      }
    },
    isOurs,
  );
});

test("ignore rules and baselines are parsed, or rejected with UnreadableChoice", async () => {
  const isOurs = isA(UnreadableChoice);
  await triedOn(["scheduler:Job:spec.taskGroups[*].count", "*:tags", "# note\r\n*:a"], ignoreRule, isOurs);
  await triedOn(["scheduler:Job:a\n*:b\n", "# note\r\n*:a"], ignoreRules, isOurs);
  const report = '{"resources":[{"urn":"u","verdict":"drifted","fields":[{"field":"a","is":"1"}]}]}';
  await triedOn([report], baselineIn, isOurs);
});

test("a Pulumi.yaml is parsed, or rejected as Unreadable", async () => {
  const yaml =
    "name: p\nruntime:\n  name: nodejs\n  options:\n    a: 'b'\nplugins:\n  providers:\n    - name: x\n      path: y\n";
  await triedOn(
    [yaml],
    (text) => {
      const lines = text.split("\n");
      for (const entry of yamlEntries(lines)) {
        inside(lines, entry);
        itemsIn(lines, entry);
      }
    },
    isA(Unreadable),
  );
});
