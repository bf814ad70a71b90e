import type { Values } from "../../../provider/core/language/object";
import { SecretMap } from "../../../provider/core/state/secretMap";
import cloudRoot from "../../../provider/services/secrets/cloudRoot";
import { Resource } from "../../steps/resource";
import { notesOfCreate, scene } from "./scene";

// These tests change the dialect of a stub that starts in `neutral`.
process.env.QUARTERDECK_TEST_DIALECT = "neutral";

const KEY = { accessKey: "AKIAOLD", secretKey: "hush" };

describe("the root of the cloud engine (A5, config/root)", () => {
  test("sends its key and its secret together, and only when one of them changed", async () => {
    const { resource, written } = await scene(cloudRoot);
    await resource.create({ ...KEY, region: "eu-west-1" });
    await resource.up({ ...KEY, region: "eu-north-1" });
    await resource.up({ ...KEY, secretKey: "hush hush", region: "eu-north-1" });
    expect(written()).toEqual([
      { access_key: "AKIAOLD", secret_key: "hush", region: "eu-west-1" },
      { region: "eu-north-1" },
      { access_key: "AKIAOLD", secret_key: "hush hush" },
    ]);
  });

  test("a key that a rotation moved is no drift, and survives an update of another field", async () => {
    const { resource, theirs, held } = await scene(cloudRoot);
    await resource.create({ ...KEY, region: "eu-west-1" });
    await theirs("cloud/config/rotate-root", {});
    const { access_key: rotated } = await held("cloud/config/root");
    expect(rotated).not.toBe("AKIAOLD");
    await resource.refresh();
    expect(resource.preview({ ...KEY, region: "eu-west-1" }).changes).toEqual([]);
    await resource.up({ ...KEY, region: "eu-north-1" });
    expect(await held("cloud/config/root")).toMatchObject({ access_key: rotated, region: "eu-north-1" });
  });

  test("the user name's template goes along with every write, because the service would reset it", async () => {
    const { resource, written } = await scene(cloudRoot);
    const template = { usernameTemplate: "v-{{ random 10 }}" };
    await resource.create({ ...template, region: "a" });
    await resource.up({ ...template, region: "b" });
    expect(written().at(-1)).toEqual({ region: "b", username_template: "v-{{ random 10 }}" });
    await resource.up({ region: "b" });
    expect(written().at(-1)).toEqual({ username_template: "" });
  });

  test("keeps a template that others set if the service shows it, and warns of nothing", async () => {
    const { world, resource } = await scene(cloudRoot, { "cloud/config/root": { region: "a" } });
    await resource.create({ region: "a", adopt: true });
    expect(resource.preview({ region: "b", adopt: true }).notes).toEqual([]);
    world.stub.configure({ dialect: "real" });
    const real = world.with({ dialect: "real", cloudMount: "cloud" });
    const headers = { "x-vault-token": "root", "content-type": "application/json" };
    await real.send("POST", "/v1/cloud/config/root", { username_template: "theirs-{{ random 8 }}" }, headers);
    const own = new Resource(real, cloudRoot);
    await own.create({ region: "a", adopt: true });
    await own.up({ region: "c", adopt: true });
    const { json } = await real.send("GET", "/v1/cloud/config/root", undefined, headers);
    expect(json).toMatchObject({ data: { region: "c", username_template: "theirs-{{ random 8 }}" } });
  });

  test("moves from a key to an identity token: the key is cleared in the same write", async () => {
    const { resource, written, held } = await scene(cloudRoot);
    await resource.create(KEY);
    await resource.up({
      roleArn: "arn:aws:iam::1:role/x",
      identityTokenAudience: "aud",
      identityTokenTtl: "2h",
    });
    expect(written().at(-1)).toEqual({
      access_key: "",
      secret_key: "",
      role_arn: "arn:aws:iam::1:role/x",
      identity_token_audience: "aud",
      identity_token_ttl: 7200,
    });
    expect(await held("cloud/config/root")).toMatchObject({ access_key: "" });
  });

  test("a new key empties the identity token that another user set in its place", async () => {
    const { world } = await scene(cloudRoot);
    world.stub.configure({ dialect: "real" });
    const real = world.with({ dialect: "real", cloudMount: "cloud" });
    const resource = new Resource(real, cloudRoot);
    await resource.create(KEY);
    const headers = { "x-vault-token": "root", "content-type": "application/json" };
    const theirs = {
      access_key: "",
      secret_key: "",
      identity_token_audience: "x",
      role_arn: "arn:aws:iam::1:role/x",
    };
    await real.send("POST", "/v1/cloud/config/root", theirs, headers);
    await resource.up({ accessKey: "AKIANEW", secretKey: "hush-2" });
    const { json } = await real.send("GET", "/v1/cloud/config/root", undefined, headers);
    expect(json).toMatchObject({ data: { access_key: "AKIANEW", identity_token_audience: "" } });
  });

  test.each<[string, { [name: string]: string }, string]>([
    ["a key without its secret", { accessKey: "a" }, "secretKey: is required with accessKey"],
    [
      "a key with an identity token",
      { accessKey: "a", secretKey: "s", identityTokenAudience: "x", roleArn: "r" },
      'accessKey: given "a": cannot be given together with identityTokenAudience: the engine works with a key or with an identity token',
    ],
    [
      "an identity token without a role",
      { identityTokenAudience: "x" },
      "roleArn: is required with identityTokenAudience",
    ],
    [
      "a template that cannot be read",
      { usernameTemplate: "{{ .DisplayName" },
      'usernameTemplate: given "{{ .DisplayName": is a template that the service refuses: a {{ has no }}',
    ],
  ])("refuses %s in the preview", async (_, program, problem) => {
    const { problems } = await scene(cloudRoot);
    expect(problems(program)).toEqual([problem]);
  });

  test.each<[string, Values]>([
    ["a secret alone, whose key others hold there", { secretKey: "s" }],
    ["any number of retries", { maxRetries: -5 }],
  ])("leaves %s to the service", async (_, program) => {
    const { problems } = await scene(cloudRoot);
    expect(problems(program)).toEqual([]);
  });

  test("warns of a template's functions that are not specified, and leaves its length to the service", () => {
    expect(notesOfCreate(cloudRoot, { usernameTemplate: "v-{{ uuid }}-{{ sha256 .DisplayName }}" })).toEqual(
      [],
    );
    expect(notesOfCreate(cloudRoot, { usernameTemplate: "{{ reverse .DisplayName }}" })).toEqual([
      "usernameTemplate: the function reverse is none that the specification names here",
    ]);
    expect(notesOfCreate(cloudRoot, { usernameTemplate: "v-{{ random 10 }}" })).toEqual([]);
  });

  test("keeps its secret encrypted, and the key's id readable", () => {
    expect(new SecretMap(cloudRoot, KEY).holdsSecret(["secretKey"], "hush")).toBe(true);
    expect(new SecretMap(cloudRoot, KEY).holdsSecret(["accessKey"], "AKIAOLD")).toBe(false);
    expect(new SecretMap(cloudRoot, KEY).collect()).toEqual(["hush"]);
  });

  test("is configured once for each mount: what is there already needs adopt", async () => {
    const { resource, held } = await scene(cloudRoot, { "cloud/config/root": { region: "theirs" } });
    await expect(resource.create({ region: "ours" })).rejects.toThrow("already exists");
    expect(await held("cloud/config/root")).toMatchObject({ region: "theirs" });
    await resource.create({ region: "ours", adopt: true });
    expect(await held("cloud/config/root")).toMatchObject({ region: "ours" });
  });
});
