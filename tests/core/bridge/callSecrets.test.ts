import { Call } from "../../../provider/core/bridge/call";
import { FingerprintedSecrets } from "../../../provider/core/bridge/fingerprintedSecrets";
import { withReading } from "../../../provider/core/language/serviceText";
import { formatRecords, RECORDS } from "../../../provider/core/state/records";
import { Fingerprints, newSalt } from "../../../provider/core/value/fingerprint";
import { metadataOf, withMetadata } from "../../../provider/core/value/programInputs";
import { asKnown } from "../../../provider/core/value/unknown";
import job from "../../../provider/services/scheduler/job";
import { jobText } from "../../../provider/services/scheduler/jobText";
import { neutral } from "../../../provider/services/scheduler/service";
import directoryConfig from "../../../provider/services/secrets/directoryConfig";
import { SchedulerService } from "../../../testing/stub/services/scheduler/service";
import { World } from "../../steps/world";
import { hostOf } from "./host";

const CANARY = "canary-of-a-secret-in-a-text";

test("a copy of a secret is encrypted if the HCL text was parsed only during the write", async () => {
  const world = new World(new SchedulerService({ switches: { dialect: "neutral" } }), job, {});
  const inputs = withMetadata({ hcl: 'job "web" {}' }, {});
  const call = await Call.of(
    job,
    { inputs },
    hostOf(() => world.connection),
  );
  const lastApplied = asKnown(withReading(jobText(neutral), inputs, { ID: "web", SecretsToken: CANARY }));
  const records = formatRecords({ address: {}, lastApplied, baseline: {}, observed: {} });
  const copied = (outputs: object) => call.secretIn({ ...inputs, ...outputs })(["status"], CANARY);
  expect(copied({ [RECORDS]: records })).toBe(true);
  expect(copied({})).toBe(false);
});

test("inputs that a step rebuilds get the metadata of the call, without the secret sources", () => {
  const fingerprints = new Fingerprints(newSalt());
  const secretSources = { bindpass: { fromEnv: "BINDPASS" } };
  const written = withMetadata(
    { bindpass: fingerprints.add(CANARY) },
    { secretPaths: ["url"], ignoredPaths: ["binddn"], secretSources },
  );
  const secrets = new FingerprintedSecrets(directoryConfig, fingerprints, written, undefined, undefined, []);
  const rebuilt = secrets.inputs({ ...secrets.values.inputs, url: "ldaps://a" });
  const bare = secrets.inputs({ bindpass: fingerprints.add(CANARY), url: "ldaps://a" });
  for (const inputs of [rebuilt, bare]) {
    expect(inputs).toEqual(expect.objectContaining({ bindpass: secretSources.bindpass, url: "ldaps://a" }));
    expect(metadataOf(inputs)).toEqual({
      secretPaths: ["url"],
      ignoredPaths: ["binddn"],
      secretSources: {},
    });
  }
  const marked = secrets.inputs(withMetadata({ url: "ldaps://a" }, { secretPaths: ["starttls"] }));
  expect(metadataOf(marked).secretPaths).toEqual(["starttls"]);
});

test("a fingerprint that someone else wrote as the value of the secret counts as a different secret", () => {
  const fingerprints = new Fingerprints(newSalt(), [["bindpass"]]);
  const fingerprint = fingerprints.add(CANARY);
  expect(fingerprints.hide({ bindpass: CANARY })).toEqual({ bindpass: fingerprint });
  expect(fingerprints.hide({ bindpass: fingerprint })).not.toEqual({ bindpass: fingerprint });
  // The program's inputs and the records contain fingerprints already.
  expect(fingerprints.hideAt({ bindpass: fingerprint }, ["bindpass"])).toEqual({ bindpass: fingerprint });
});
