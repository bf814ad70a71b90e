import { join } from "node:path";
import { catalog } from "../../provider/catalog";
import { brokenRules } from "../../provider/core/language/rules";
import { allFunctions } from "../../provider/functions";
import { compiled } from "../generate/compiled";
import { shownAt } from "./hovers";

// What must be given in one of several forms does not compile where none is.

interface Choice {
  /** Whose rule it is, and of which of its objects. */
  readonly of: string;
  /** The program, with what is said of the form in the place of this. */
  readonly program: (form: string) => string;
  /** Each form by the name that an error gives it. */
  readonly forms: Readonly<Record<string, string>>;
}

const workspace = (form: string) =>
  `new q.workspaces.Workspace("x", { name: "x", vcsRepo: { identifier: "a/b", ${form} } });`;
const SOURCES = "mesh:ServiceIntentions spec.sources[]";

const CHOICES: readonly Choice[] = [
  {
    of: "scheduler:Job",
    program: (form) => `new q.scheduler.Job("x", { ${form} });`,
    forms: {
      JobArgsWithSpec: 'spec: { id: "web", taskGroups: [] }',
      JobArgsWithJson: 'json: "{}"',
      JobArgsWithHcl: "hcl: later",
    },
  },
  {
    of: "secrets:QueueRole",
    program: (form) => `new q.secrets.QueueRole("x", { name: "x", ${form} });`,
    forms: { QueueRoleArgsWithTags: "tags: ['a']", QueueRoleArgsWithVhosts: "vhosts: {}" },
  },
  {
    of: "secrets:LoginEnforcement",
    program: (form) => `new q.secrets.LoginEnforcement("x", { name: "x", mfaMethodIds: ["m"], ${form} });`,
    forms: {
      LoginEnforcementArgsWithAuthMethodAccessors: "authMethodAccessors: [later]",
      LoginEnforcementArgsWithAuthMethodTypes: "authMethodTypes: ['ldap']",
      LoginEnforcementArgsWithIdentityGroupIds: "identityGroupIds: []",
      LoginEnforcementArgsWithIdentityEntityIds: "identityEntityIds: pulumi.output(['e'])",
    },
  },
  {
    of: "secrets:CloudRole",
    program: (form) => `new q.secrets.CloudRole("x", { name: "x", ${form} });`,
    forms: {
      CloudRoleArgsWithCredentialType: "credentialType: 'iam_user', policyArns: ['a']",
      CloudRoleArgsWithPolicy: "policy: {}",
      CloudRoleArgsWithArn: "arn: 'a'",
    },
  },
  {
    of: "workspaces:DataRetentionPolicy",
    program: (form) => `new q.workspaces.DataRetentionPolicy("x", { workspaceId: "ws-1", ${form} });`,
    forms: {
      DataRetentionPolicyArgsWithDeleteOlderThanDays: "deleteOlderThanDays: 3",
      DataRetentionPolicyArgsWithDontDelete: "dontDelete: true",
    },
  },
  {
    of: "workspaces:Workspace vcsRepo",
    program: workspace,
    forms: {
      WorkspaceVcsRepoArgsWithOauthTokenId: "oauthTokenId: later",
      WorkspaceVcsRepoArgsWithGithubAppInstallationId: "githubAppInstallationId: 'ghain-1'",
    },
  },
  {
    of: SOURCES,
    program: (form) =>
      `new q.mesh.ServiceIntentions("x", { name: "x", spec: { sources: [{ name: "a", ${form} }] } });`,
    forms: {
      ServiceIntentionsSpecSourceArgsWithAction: "action: 'deny'",
      ServiceIntentionsSpecSourceArgsWithPermissions: "permissions: [{ action: 'allow' }]",
    },
  },
  {
    of: "workspaces:getWorkspace",
    program: (form) => `void q.workspaces.getWorkspace({ ${form} });`,
    forms: { GetWorkspaceArgsWithWorkspaceId: "workspaceId: 'ws-1'", GetWorkspaceArgsWithName: "name: 'a'" },
  },
  {
    of: "workspaces:getWorkspace, as an output",
    program: (form) => `q.workspaces.getWorkspaceOutput({ ${form} });`,
    forms: {
      GetWorkspaceOutputArgsWithWorkspaceId: "workspaceId: later",
      GetWorkspaceOutputArgsWithName: "name: later",
    },
  },
  {
    of: "a parameter of a login",
    program: (form) =>
      `new q.Provider("x", { secrets: { login: { parameters: { role_id: { ${form} } } } } });`,
    forms: {
      LoginParameterArgsWithValue: "value: later",
      LoginParameterArgsWithEnv: "env: 'ROLE'",
      LoginParameterArgsWithFile: "file: 'role'",
    },
  },
];

/** Programs in which it shows only later, or elsewhere, which form it is. */
const LATER = `
  declare const maybe: pulumi.Output<string | undefined>;
  declare const which: boolean;
  new q.scheduler.Job("later", { hcl: maybe });
  new q.scheduler.Job("promised", { hcl: Promise.resolve("x") });
  new q.scheduler.Job("either", { ...(which ? { hcl: "x" } : { json: "{}" }), purge: true });
  const defaults: Partial<q.scheduler.JobArgs> = { wait: "deployment" };
  new q.scheduler.Job("spread", { ...defaults, hcl: "x" });
  function made(name: string, args: q.scheduler.JobArgs) {
    if ("hcl" in args) return new q.scheduler.Job(name, { ...args, hclv1: true });
    return new q.scheduler.Job(name, { ...args, wait: args.wait ?? "none" });
  }
  made("given", { spec: { id: "web", taskGroups: [] } });
  const all: Record<string, q.scheduler.JobArgs> = { a: { hcl: "x" }, b: { json: { ID: "b" } } };
  for (const [name, args] of Object.entries(all)) new q.scheduler.Job(name, args);
  interface Mine extends q.scheduler.JobArgsWithHcl { readonly team: string }
  export const mine = ({ team, ...args }: Mine) => new q.scheduler.Job(team, args);
  export const copied = new q.secrets.QueueRole("copied", {
    name: "copy",
    tags: new q.secrets.QueueRole("first", { name: "x", tags: "a", vhosts: {} }).tags,
  });
  export class Web extends q.scheduler.Job {
    constructor(name: string, args: q.scheduler.JobArgs) { super(name, args); }
  }
`;

const HEAD = `import * as pulumi from "@pulumi/pulumi";
import * as q from "pulumi-quarterdeck";
export const later = pulumi.output("later");
`;

/** What the compiler says of every program, by what it is called. */
let said: (name: string) => readonly string[];
beforeAll(() => {
  const given = CHOICES.flatMap(({ program, forms }, at) => [
    [`none${at}`, program("")] as const,
    [
      `undefined${at}`,
      program(Object.values(forms)[0]?.replace(/^(\w+):.*/, "$1: undefined") ?? ""),
    ] as const,
    [`given${at}`, Object.values(forms).map(program).join("\n")] as const,
  ]);
  const files = [...given, ["later", LATER] as const].map(
    ([name, text]) => [`tests/sdk/${name}.ts`, HEAD + text] as const,
  );
  const lines = compiled(new Map(files));
  said = (name) => lines.filter((line) => line.startsWith(`tests/sdk/${name}.ts: `));
}, 120_000);

const each = CHOICES.map(({ of }, at) => [of, at] as const);

describe("what is given in one of several forms", () => {
  it.each(each)("does not compile without any: %s", (_, at) => {
    const { forms } = CHOICES[at] as Choice;
    const messages = said(`none${at}`);
    expect(messages).toHaveLength(1);
    for (const form of Object.keys(forms)) expect(messages[0]).toContain(form);
  });

  it.each(each)("does not compile where it is given as nothing: %s", (_, at) => {
    expect(said(`undefined${at}`)).toHaveLength(1);
  });

  it.each(each)("compiles with each: %s", (_, at) => {
    expect(said(`given${at}`)).toEqual([]);
  });

  it("compiles where it shows only later, or elsewhere, which form it is", () => {
    expect(said("later")).toEqual([]);
  });

  it("shows in an editor what each form's property is", () => {
    const text = `${HEAD}new q.scheduler.Job("x", { hcl: "x", wait: "none" });\n`;
    const shown = shownAt(join(__dirname, "hovered.ts"), text, ["hcl", "wait"]);
    expect(shown.hcl).toContain("The job in the service's own language");
    expect(shown.wait).toContain("What a create and an update wait for");
  });
});

describe("the rules that ask for one of several", () => {
  const specified = [...Object.values(catalog).map((load) => load()), ...allFunctions()];
  const asking = specified.flatMap((one) =>
    (one.rules ?? []).flatMap((rule) => (rule.oneOf === undefined ? [] : [{ one, rule, oneOf: rule.oneOf }])),
  );

  it("are those that are tried above", () => {
    const objects = asking.map(({ one, oneOf: [path] }) =>
      `${one.token} ${path.slice(0, Math.max(0, path.lastIndexOf(".")))}`.trim(),
    );
    const tried = CHOICES.map(({ of }) => of).filter((of) => /^\w+:[^,]*$/.test(of));
    expect(objects.sort()).toEqual(tried.sort());
  });

  it.each(asking.map((each) => [`${each.one.token} ${each.oneOf.join(", ")}`, each] as const))(
    "refuse what gives none, so that nothing valid is kept from compiling: %s",
    (_, { rule }) => {
      const around = { vcsRepo: { identifier: "a/b" }, spec: { sources: [{ name: "a" }] } };
      expect(brokenRules([rule], rule.oneOf?.some((path) => path.includes(".")) ? around : {})).toHaveLength(
        1,
      );
    },
  );
});
