import { join } from "node:path";
import { catalog } from "../../provider/catalog";
import { brokenRules } from "../../provider/core/language/rules";
import { allFunctions } from "../../provider/functions";
import { compiled } from "../generate/compiled";
import { shownAt } from "./hovers";

// Arguments that require one of several forms do not compile without any of these forms.

interface Choice {
  /** The definition that has the rule, and the path of the object. */
  readonly of: string;
  /** Returns the program with the given form. */
  readonly program: (form: string) => string;
  /** Each form by its name in an error. */
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
    of: "workspaces:getOauthClient",
    program: (form) => `q.workspaces.getOauthClient({ ${form} });`,
    forms: {
      GetOauthClientArgsWithName: "name: 'code'",
      GetOauthClientArgsWithServiceProvider: "serviceProvider: 'github'",
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
    of: "a login parameter",
    program: (form) =>
      `new q.Provider("x", { secrets: { login: { parameters: { role_id: { ${form} } } } } });`,
    forms: {
      LoginParameterArgsWithValue: "value: later",
      LoginParameterArgsWithEnv: "env: 'ROLE'",
      LoginParameterArgsWithFile: "file: 'role'",
    },
  },
];

/** Programs in which the form is known only later or elsewhere. */
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

/** Returns the errors of the compiler for the program of this name. */
let errorsOf: (name: string) => readonly string[];
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
  errorsOf = (name) => lines.filter((line) => line.startsWith(`tests/sdk/${name}.ts: `));
}, 120_000);

const each = CHOICES.map(({ of }, at) => [of, at] as const);

describe("arguments with alternative forms", () => {
  it.each(each)("do not compile without any form: %s", (_, at) => {
    const { forms } = CHOICES[at] as Choice;
    const messages = errorsOf(`none${at}`);
    expect(messages).toHaveLength(1);
    for (const form of Object.keys(forms)) expect(messages[0]).toContain(form);
  });

  it.each(each)("do not compile if the form is undefined: %s", (_, at) => {
    expect(errorsOf(`undefined${at}`)).toHaveLength(1);
  });

  it.each(each)("compile with each form: %s", (_, at) => {
    expect(errorsOf(`given${at}`)).toEqual([]);
  });

  it("compile if the form is known only later or elsewhere", () => {
    expect(errorsOf("later")).toEqual([]);
  });

  it("have documentation for the properties of each form in an editor", () => {
    const text = `${HEAD}new q.scheduler.Job("x", { hcl: "x", wait: "none" });\n`;
    const shown = shownAt(join(__dirname, "hovered.ts"), text, ["hcl", "wait"]);
    expect(shown.hcl).toContain("Job specification in HCL");
    expect(shown.wait).toContain("without an evaluation or a");
  });
});

describe("rules with oneOf", () => {
  const specified = [...Object.values(catalog).map((load) => load()), ...allFunctions()];
  const withOneOf = specified.flatMap((one) =>
    (one.rules ?? []).flatMap((rule) => (rule.oneOf === undefined ? [] : [{ one, rule, oneOf: rule.oneOf }])),
  );

  it("are those that the tests above cover", () => {
    const objects = withOneOf.map(({ one, oneOf: [path] }) =>
      `${one.token} ${path.slice(0, Math.max(0, path.lastIndexOf(".")))}`.trim(),
    );
    const tried = CHOICES.map(({ of }) => of).filter((of) => /^\w+:[^,]*$/.test(of));
    expect(objects.sort()).toEqual(tried.sort());
  });

  it.each(withOneOf.map((each) => [`${each.one.token} ${each.oneOf.join(", ")}`, each] as const))(
    "reject arguments without any form, so that no valid program fails to compile: %s",
    (_, { rule }) => {
      const around = { vcsRepo: { identifier: "a/b" }, spec: { sources: [{ name: "a" }] } };
      expect(brokenRules([rule], rule.oneOf?.some((path) => path.includes(".")) ? around : {})).toHaveLength(
        1,
      );
    },
  );
});
