import { createHash } from "node:crypto";
import {
  type Deployment,
  manifest,
  readResource,
  saltOf,
  writeCheckpoint,
  writeResource,
} from "../../../engine/backend/checkpoint";
import { openProvider } from "../../../engine/backend/passphrase";
import { Vault } from "../../../engine/backend/vault";
import type { JsonMap } from "../../../engine/json";
import { Secret } from "../../../engine/state/values";
import { ENGINE_VERSION } from "../../../engine/version";
import { PASSPHRASE, recordedText, SECRETS } from "../recorded";

const text = recordedText("backend", "stacks", "harbour", "dev.json");
const recorded: { checkpoint: { stack: string; latest: Deployment } } = JSON.parse(text);
const { latest } = recorded.checkpoint;

async function openVault(): Promise<Vault> {
  return new Vault((await openProvider(saltOf(latest) ?? "", PASSPHRASE)).crypter);
}

test("reads a checkpoint of the CLI with decrypted secrets", async () => {
  const vault = await openVault();
  const [stack, , north, south] = (latest.resources ?? []).map((resource) => readResource(resource, vault));
  expect(stack?.outputs).toEqual({
    code: new Secret(SECRETS.code),
    count: 5,
    plan: { a: [1, { b: 2 }] },
    tonnage: 7,
  });
  expect(north?.inputs?.secret).toEqual(new Secret(SECRETS.north));
  expect(south).toMatchObject({
    urn: "urn:pulumi:dev::harbour::pulumi-nodejs:dynamic/harbour:Quay::south",
    id: "quay-1",
    parent: stack?.urn,
    dependencies: [north?.urn],
    propertyDependencies: { size: [north?.urn] },
  });
});

test("writes a checkpoint of the CLI back byte for byte", async () => {
  const vault = await openVault();
  const resources = (latest.resources ?? []).map((resource) =>
    writeResource(readResource(resource, vault), vault),
  );
  expect(writeCheckpoint(recorded.checkpoint.stack, { ...latest, resources })).toBe(text);
});

test("keeps unknown fields of a resource", async () => {
  const vault = await openVault();
  const resource: JsonMap = { ...latest.resources?.[3], somethingNew: { deep: [1] } };
  expect(writeResource(readResource(resource, vault), vault).somethingNew).toEqual({ deep: [1] });
});

test("omits empty and false fields as the CLI does, except `custom`", async () => {
  const vault = await openVault();
  const state = { urn: "u", type: "t", custom: false, protect: false, dependencies: [], id: "", inputs: {} };
  expect(writeResource(state, vault)).toEqual({ urn: "u", custom: false, type: "t" });
});

test("the manifest contains the SHA-256 hash of its version, which the CLI checks", () => {
  expect(manifest(new Date(0))).toEqual({
    time: "1970-01-01T00:00:00.000Z",
    magic: createHash("sha256").update(ENGINE_VERSION).digest("hex"),
    version: ENGINE_VERSION,
  });
  expect(latest.manifest.magic).toBe(createHash("sha256").update("v3.260.0").digest("hex"));
});
