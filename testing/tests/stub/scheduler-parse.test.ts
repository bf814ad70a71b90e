import { answers } from "./in-process";
import { Scene, scene, TOKENS } from "./scheduler-scene";

const parse = async (JobHCL: string, fields: object = {}) =>
  new Scene().send("POST", "/jobs/parse", { JobHCL, ...fields });

const JOB = `
# A service with everything that examples use.
variable "image" {
  type    = string
  default = "web:1"
}

variable "count" { default = 2 }

locals {
  tags = ["v-\${local.version}", "http"]
  version = upper("a")
}

job "web" {
  datacenters = ["dc1"]
  type        = "service"
  priority    = 60
  meta { owner = "team-web" }

  update {
    max_parallel     = 2
    min_healthy_time = "1m30s"
    auto_revert      = true
  }

  constraint {
    attribute = "\${attr.kernel.name}"
    value     = "linux"
  }
  constraint { distinct_hosts = true }
  constraint {
    attribute = "\${attr.version}"
    semver    = ">= 1.0"
  }
  spread {
    attribute = "\${node.datacenter}"
    target "dc1" { percent = 70 }
  }

  group "app" {
    count = var.count
    network {
      mode = "bridge"
      port "http" { to = 8080 }
      port "admin" { static = 9000 }
    }
    volume "data" {
      type   = "host"
      source = "data"
    }
    service {
      name = "web"
      port = "http"
      tags = local.tags
      check {
        type     = "http"
        path     = "/health"
        interval = "10s"
        timeout  = "2s"
        header { Accept = ["text/plain"] }
      }
      connect { sidecar_service {} }
    }
    restart {
      attempts = 3
      delay    = "15s"
    }
    task "server" {
      driver = "docker"
      config {
        image = var.image
        ports = ["http"]
        mount {
          type = "bind"
          readonly = true
        }
        mount { type = "volume" }
      }
      env {
        PORT  = 8080
        NODE  = "\${node.unique.name}"
        PLAIN = "$\${kept}"
      }
      template {
        destination = "local/app.conf"
        data        = <<-EOF
          key = {{ key "app" }}
            deeper
          EOF
      }
      artifact {
        source = "https://example.com/app.zip"
        options { checksum = "md5:1" }
      }
      resources {
        cpu    = 200
        memory = 256
      }
      logs { max_files = 3 }
      kill_timeout = "20s"
      vault { role = "web" }
      lifecycle {
        hook    = "prestart"
        sidecar = true
      }
      volume_mount {
        volume      = "data"
        destination = "/data"
      }
    }
  }
}
`;

describe("Parse job", () => {
  test("accepts a job's tokens under the specification's names and under the product's names", async () => {
    for (const [secrets, mesh] of [
      ["secrets_token", "mesh_token"],
      ["vault_token", "consul_token"],
    ]) {
      const { body } = await parse(`job "web" {\n  ${secrets} = "one"\n  ${mesh} = "two"\n}`);
      expect(body).toMatchObject({ SecretsToken: "one", MeshToken: "two" });
    }
  });

  test("returns the equivalent job, with null or an empty value for omitted fields", async () => {
    const { status, body } = await parse(JOB);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ID: "web",
      Name: "web",
      Region: null,
      Namespace: null,
      Type: "service",
      Priority: 60,
      Datacenters: ["dc1"],
      Meta: { owner: "team-web" },
      Update: { MaxParallel: 2, MinHealthyTime: 90_000_000_000, AutoRevert: true, Stagger: null },
      Constraints: [
        { LTarget: `\${attr.kernel.name}`, RTarget: "linux", Operand: "=" },
        { LTarget: "", RTarget: "", Operand: "distinct_hosts" },
        { LTarget: `\${attr.version}`, RTarget: ">= 1.0", Operand: "semver" },
      ],
      Spreads: [{ Attribute: `\${node.datacenter}`, SpreadTarget: [{ Value: "dc1", Percent: 70 }] }],
    });
    const [group] = body.TaskGroups;
    expect(group).toMatchObject({
      Name: "app",
      Count: 2,
      Networks: [
        {
          Mode: "bridge",
          DynamicPorts: [{ Label: "http", To: 8080 }],
          ReservedPorts: [{ Label: "admin", Value: 9000 }],
        },
      ],
      Volumes: { data: { Name: "data", Type: "host", Source: "data" } },
      Services: [
        {
          Name: "web",
          PortLabel: "http",
          Tags: ["v-A", "http"],
          Checks: [
            {
              Type: "http",
              Interval: 10_000_000_000,
              Timeout: 2_000_000_000,
              Header: { Accept: ["text/plain"] },
            },
          ],
          Connect: { SidecarService: { Port: "" } },
        },
      ],
      RestartPolicy: { Attempts: 3, Delay: 15_000_000_000, Interval: null },
    });
    expect(group.Tasks[0]).toMatchObject({
      Name: "server",
      Driver: "docker",
      Config: {
        image: "web:1",
        ports: ["http"],
        mount: [{ type: "bind", readonly: true }, { type: "volume" }],
      },
      Env: { PORT: "8080", NODE: `\${node.unique.name}`, PLAIN: `\${kept}` },
      Templates: [{ DestPath: "local/app.conf", EmbeddedTmpl: 'key = {{ key "app" }}\n  deeper\n' }],
      Artifacts: [{ GetterSource: "https://example.com/app.zip", GetterOptions: { checksum: "md5:1" } }],
      Resources: { CPU: 200, MemoryMB: 256 },
      LogConfig: { MaxFiles: 3, MaxFileSizeMB: null },
      KillTimeout: 20_000_000_000,
      Secrets: { Role: "web" },
      Lifecycle: { Hook: "prestart", Sidecar: true },
      VolumeMounts: [{ Volume: "data", Destination: "/data" }],
    });
  });

  test("Canonicalize fills unset fields with defaults", async () => {
    const { body } = await parse(JOB, { Canonicalize: true });
    expect(body).toMatchObject({ Region: "global", Namespace: "default", NodePool: "default" });
    expect(body.TaskGroups[0].RestartPolicy).toEqual({
      Attempts: 3,
      Interval: 1_800_000_000_000,
      Delay: 15_000_000_000,
      Mode: "fail",
      RenderTemplates: false,
    });
  });

  test("Variables, in the format of a variables file, override defaults", async () => {
    const { body } = await parse(JOB, { Variables: 'image = "web:2"\ncount = 5\n' });
    expect(body.TaskGroups[0].Count).toBe(5);
    expect(body.TaskGroups[0].Tasks[0].Config.image).toBe("web:2");
  });

  test("HCLv1 parses a job without variables", async () => {
    const text = 'job "old" {\n  group "g" {\n    task "t" {\n      driver = "exec"\n    }\n  }\n}\n';
    expect((await parse(text, { HCLv1: true })).body).toMatchObject({
      ID: "old",
      TaskGroups: [{ Name: "g" }],
    });
  });

  test("a parsed job can be registered unchanged", async () => {
    const { body: Job } = await scene.send("PUT", "/jobs/parse", {
      JobHCL: JOB.replace("lifecycle {", "lifecycle {\n").replace(/lifecycle \{[^}]*\}/, ""),
    });
    await answers(scene.send("POST", "/jobs", { Job }), 200);
  });

  test("a task directly under the job becomes a group of the same name", async () => {
    const { body } = await parse('job "j" {\n task "t" {\n driver = "exec"\n }\n}');
    expect(body.TaskGroups).toMatchObject([{ Name: "t", Count: 1, Tasks: [{ Name: "t", Driver: "exec" }] }]);
  });

  test("returns the secret blocks of a job, group and task by label, with the duplicates of the product", async () => {
    const block = (name: string) => `secret "${name}" {\n provider = "plugin"\n path = "p"\n}`;
    const secrets = async (job: string, group: string, task: string) => {
      const text = `job "j" {\n ${job}\n group "g" {\n ${group}\n task "t" {\n driver = "exec"\n ${task}\n }\n }\n}`;
      const { status, body } = await parse(text);
      expect(status).toBe(200);
      return body.TaskGroups[0].Tasks[0].SecretBlocks;
    };
    expect(
      await secrets(
        "",
        "",
        'secret "a" {\n provider = "vault"\n path = "p"\n config { engine = "kv_v2" }\n}',
      ),
    ).toEqual([{ Name: "a", Provider: "vault", Path: "p", Config: { engine: "kv_v2" }, Env: null }]);
    const named = (...names: string[]) =>
      names.map((Name) => expect.objectContaining({ Name, Provider: "plugin" }));
    expect(await secrets(block("j"), "", block("t"))).toEqual(named("t", "j"));
    expect(await secrets("", block("g"), "")).toEqual(named("g"));
    // The product drops the group's block and duplicates the task's block.
    expect(await secrets(block("j"), block("g"), block("t"))).toEqual(named("t", "t", "j"));
    expect(await secrets("", "", "")).toBeNull();
  });

  test("returns gateways, schedules and regions under the names of their members", async () => {
    const { body } = await parse(`job "web" {
      multiregion {
        strategy { max_parallel = 1 }
        region "west" { count = 2 }
      }
      group "front" {
        service {
          connect {
            gateway {
              proxy {
                connect_timeout = "1m"
                envoy_gateway_bind_addresses "lan" { port = 8443 }
              }
              ingress {
                tls { tls_min_version = "TLSv1_2" }
                listener {
                  port = 8080
                  service { name = "api" }
                }
              }
            }
          }
        }
        task "server" {
          driver = "docker"
          schedule {
            cron { end = "30 9" }
          }
        }
      }
    }`);
    const lan = { Port: 8443 };
    expect(body).toMatchObject({
      Multiregion: { Strategy: { MaxParallel: 1 }, Regions: [{ Name: "west", Count: 2 }] },
      TaskGroups: [
        {
          Services: [
            {
              Connect: {
                Gateway: {
                  Proxy: { ConnectTimeout: 60_000_000_000, EnvoyGatewayBindAddresses: { lan } },
                  Ingress: {
                    TLS: { TLSMinVersion: "TLSv1_2" },
                    Listeners: [{ Port: 8080, Services: [{ Name: "api" }] }],
                  },
                },
              },
            },
          ],
          Tasks: [{ Schedule: { Cron: { End: "30 9" } } }],
        },
      ],
    });
  });

  test("returns 403 without the permission parse-job", async () => {
    const send = (as: string) => scene.send("POST", "/jobs/parse", { JobHCL: 'job "a" {}' }, { as });
    await answers(send(TOKENS.parser), 200);
    await answers(send(TOKENS.submitter), 403);
    await answers(send(TOKENS.reader), 403);
  });

  test("rejects an empty text", async () => {
    await answers(parse(""), 400, "Job spec is empty");
  });
});

describe("Parse job: expressions", () => {
  test.each([
    ["1 + 2 * 3", 7],
    ["(1 + 2) * 3", 9],
    ["-4 + 10 % 4", -2],
    ["1 / 4", 0.25],
    ['trimsuffix("abc", "x")', "abc"],
    ['trimsuffix("abc", "")', "abc"],
    ['"true" && !"false"', true],
    ['"false" ? 1 : 2', 2],
    ["1 < 2 && !(2 >= 3)", true],
    ["1 == 2 || 1 != 2", true],
    ["true ? 1 : 2", 1],
    ["false ? 1 : 2", 2],
    [`"a\${1 + 1}b"`, "a2b"],
    ['"$${a}%%{b}"', `\${a}%{b}`],
    ['"tab\\tquote\\"\\u00e9"', 'tab\tquote"é'],
    ["[1, 2,\n 3,]", [1, 2, 3]],
    ['{ a = 1, "b" : 2\n (upper("c")) = 3 }', { a: 1, b: 2, C: 3 }],
    ["[for x in [1, 2, 3] : x * 2 if x != 2]", [2, 6]],
    ["{for k, v in { a = 1 } : upper(k) => v + 1}", { A: 2 }],
    ["[10, 20][1]", 20],
    ["{ a = { b = 5 } }.a.b", 5],
    ['{ a = 1 }["a"]', 1],
    ['{ "1" = "x" }["1"]', "x"],
    ["1.5e2", 150],
    ["null", null],
    ["{ for = 1 }", { for: 1 }],
    ["max([1, 5, 3]...)", 5],
    ['format("%s-%03d-%q-%%", "a", 7, "b")', 'a-007-"b"-%'],
    ['join(",", split("-", "a-b-c"))', "a,b,c"],
    ['replace(trimspace("  a b "), " ", "_")', "a_b"],
    ['trimsuffix(trimprefix("x-mid-y", "x-"), "-y")', "mid"],
    ['substr("abcdef", 1, 3)', "bcd"],
    ["concat([1], [2, 3])", [1, 2, 3]],
    ["flatten([[1], [[2]], 3])", [1, 2, 3]],
    ["distinct([1, 1, 2])", [1, 2]],
    ['compact(["a", "", null])', ["a"]],
    ['sort(reverse(["a", "c", "b"]))', ["a", "b", "c"]],
    ['contains(["a"], "a")', true],
    ['length("é") + length([1, 2]) + length({ a = 1 })', 4],
    ["element([1, 2, 3], 4)", 2],
    ["range(3)", [0, 1, 2]],
    ["range(1, 6, 2)", [1, 3, 5]],
    ["keys({ b = 1, a = 2 })", ["a", "b"]],
    ["values({ b = 1, a = 2 })", [2, 1]],
    ["merge({ a = 1 }, { b = 2 })", { a: 1, b: 2 }],
    ['lookup({ a = 1 }, "b", 9)', 9],
    ['coalesce("", null, "x")', "x"],
    ["min(3, 1, 2) + ceil(1.2) + floor(1.8) + abs(-3)", 7],
    ['tonumber("5")', 5],
    ["tostring(5)", "5"],
    ['tobool("true")', true],
    ["toset([1, 1])", [1]],
    ["jsondecode(jsonencode({ a = [1] }))", { a: [1] }],
    ['base64decode(base64encode("é"))', "é"],
    ['urlencode("a b")', "a+b"],
    ['title("a job")', "A Job"],
    ['lower("ABC") # a remark', "abc"],
    ["1 // a remark", 1],
    ["1 /* a\n remark */ + 1", 2],
  ])("%s evaluates to %j", async (expression, value) => {
    const { status, body } = await parse(
      `job "j" {\n group "g" {\n task "t" {\n driver = "x"\n config {\n v = ${expression}\n }\n }\n }\n}`,
    );
    expect([status, status === 200 ? body.TaskGroups[0].Tasks[0].Config.v : body]).toEqual([200, value]);
  });
});

describe("Parse job: errors", () => {
  const PREFIX = "Failed to parse job: input.hcl:";

  test.each([
    ['job "j" {', "1,1-2: Unclosed configuration block"],
    [
      'job "j" {\n  nope = 1\n}',
      '2,3-4: Unsupported argument; An argument named "nope" is not expected here.',
    ],
    [
      'job "j" {\n  nope {}\n}',
      '2,3-4: Unsupported block type; Blocks of type "nope" are not expected here.',
    ],
    ...["__proto__", "constructor"].flatMap((name) => [
      [`job "j" {\n  ${name} = 1\n}`, `2,3-4: Unsupported argument; An argument named "${name}"`],
      [`job "j" {\n  ${name} {}\n}`, `2,3-4: Unsupported block type; Blocks of type "${name}"`],
      [`variable "${name}" {}\njob "j" {}`, "1,1-2: Unset variable"],
    ]),
    ['job "j" {\n  type = "a" priority = 1\n}', "2,14-15: Missing newline after argument"],
    ['job "j" {\n  type = "a"\n  type = "b"\n}', "3,3-4: Attribute redefined"],
    [
      'job "j" {\n  priority = "high"\n}',
      '2,14-15: Incorrect attribute value type; Inappropriate value for attribute "priority": a number is required.',
    ],
    ...["1e999", "1e30", "1.5"].map((number) => [
      `job "j" {\n  priority = ${number}\n}`,
      "2,14-15: Unsuitable value type; Unsuitable value: value must be a whole number, between -9223372036854775808 and 9223372036854775807",
    ]),
    ['job "j" {\n  group "g" {\n    shutdown_delay = 1.5\n  }\n}', "3,22-23: Unsuitable value type"],
    ['job "j" {\n  datacenters = "dc1"\n}', "2,17-18: Incorrect attribute value type"],
    ['job "j" {\n  all_at_once = 3\n}', "2,17-18: Incorrect attribute value type"],
    ['job "j" {\n  meta = 3\n}', "2,10-11: Incorrect attribute value type"],
    ['job "j" {\n  group "g" {\n    shutdown_delay = "soon"\n  }\n}', "3,22-23: Unsuitable duration value"],
    ['job "j" {\n  group {}\n}', "2,3-4: Missing name for block"],
    ['job "j" {\n  update "u" {}\n}', "2,3-4: Extraneous label for block"],
    ['job "j" {\n  update {}\n  update {}\n}', "3,3-4: Duplicate block"],
    [
      'job "j" {\n  type = ["a"].first\n}',
      '2,10-11: Unsupported attribute; This object does not have an attribute named "first".',
    ],
    ["job {}", "1,1-2: Missing name for job"],
    ['job "a" {}\njob "b" {}', "2,1-2: Duplicate job block"],
    ["locals {}", "1,1-2: Missing job block"],
    ['nope "x" {}', "1,1-2: Unsupported block type"],
    ["a = 1", "1,1-2: Unsupported block type"],
    ['variable "v" {}\njob "j" {}', "1,1-2: Unset variable"],
    [
      'job "j" {\n  type = var.missing\n}',
      '2,10-11: Unsupported attribute; This object does not have an attribute named "missing".',
    ],
    ['job "j" {\n  type = missing\n}', '2,10-11: Unknown variable; There is no variable named "missing".'],
    ['job "j" {\n  type = nope(1)\n}', "2,10-11: Call to unknown function"],
    ['job "j" {\n  type = upper([])\n}', "2,10-11: Invalid function argument"],
    ['job "j" {\n  type = "open\n}', "2,15-16: Invalid multi-line string"],
    [`job "j" {\n  type = "\${1"\n}`, "2,11-12: Unterminated template interpolation"],
    ['job "j" {\n  type = "\\q"\n}', "2,13-14: Invalid escape sequence"],
    ['job "j" {\n  type = [1\n}', "3,1-2: Missing item separator or closing bracket"],
    ['job "j" {\n  type = <<EOF\nnever', "2,10-11: Unterminated template string"],
    ['job "j" {\n  type = \n}', "2,10-11: Invalid expression"],
    ['job "j" {\n  type = true ? 1\n}', "3,1-2: Missing false expression in conditional"],
    ['job "j" {\n  type = { a 1 }\n}', "2,14-15: Missing attribute value"],
    ['job "j" {\n  type = [for in [] : 1]\n}', "2,18-19: Invalid 'for' expression"],
    ['job "j" {\n  type = "%{ if true }"\n}', "2,11-12: Unsupported template directive"],
    ['job "j" {\n  meta {\n    a {}\n  }\n}', "3,5-6: Unsupported block type"],
    ['job "j" }', "1,9-10: Invalid block definition"],
    ['job "j" {}\n}', "2,1-2: Argument or block definition required"],
    ['locals {\n  a = local.b\n  b = local.a\n}\njob "j" {}', "3,7-8: Unsupported attribute"],
  ])("%j returns the error %s", async (text, message) => {
    await answers(parse(text), 400, expect.stringContaining(PREFIX + message));
  });

  test("a member of a driver's configuration can have any name", async () => {
    const text = `job "j" {\n group "g" {\n task "t" {\n driver = "x"\n config {\n __proto__ = 1\n constructor {}\n }\n }\n }\n}`;
    const { body } = await parse(text);
    expect(JSON.stringify(body.TaskGroups[0].Tasks[0].Config)).toBe('{"__proto__":1,"constructor":[{}]}');
  });

  test("converts a number to a string with all digits", async () => {
    const { body } = await parse('job "j" {\n  meta {\n    a = 1e30\n    b = 1.5\n  }\n}');
    expect(body.Meta).toEqual({ a: `1${"0".repeat(30)}`, b: "1.5" });
  });

  test.each([
    ["list(string)", '"[\\"a\\"]"', "list of string"],
    ["map(string)", '"{}"', "map of string"],
    ["map(string)", "[]", "map of string"],
  ])("rejects a variable of type %s with the value %s", async (type, value, required) => {
    const text = `variable "v" {\n type = ${type}\n}\njob "j" {}`;
    const { status, body } = await parse(text, { Variables: `v = ${value}` });
    expect(status).toBe(400);
    expect(body).toContain(
      `The value for v is not compatible with the variable's type constraint: ${required} required.`,
    );
  });

  test("rejects undeclared variables and blocks in Variables", async () => {
    expect((await parse('job "j" {}', { Variables: "a = 1" })).body).toContain(
      'A "a" variable was set but was not declared',
    );
    expect((await parse('job "j" {}', { Variables: "a {}" })).body).toContain("Unexpected block");
  });
});
