import * as quarterdeck from "pulumi-quarterdeck";

const harbor = new quarterdeck.workspaces.RegistryProvider("harbor", {
  registryName: "private",
  name: "harbor",
});

const releases = new quarterdeck.workspaces.GpgKey("releases", {
  asciiArmor: `-----BEGIN PGP PUBLIC KEY BLOCK-----

mI0Eaws/NgEEAMdxkGzdTet5zRfzrnHm4g2AYEFSBH1UnGbUsmsdmZuV7lzTmN3C
89y0CpbK7t/mxgc5pvUJuTFEG6l4oagX39eE0WC734SZ41OLkFQe/CXJj73gN1mx
geU7uXEAOLPwxVpNh43K9Zkcp6b3T5OREb980nZUlzdARh5TAGTKlVdPABEBAAG0
I1JlbGVhc2VzIG9uZSA8cmVsZWFzZXNAZXhhbXBsZS5jb20+iM4EEwEKADgWIQTd
DckuKgfAP0Lwv9qPA5Cpf9jwMwUCaws/NgIbAwULCQgHAgYVCgkICwIEFgIDAQIe
AQIXgAAKCRCPA5Cpf9jwM57aA/41FvrrNmlJPgnI0w0pzxNckBiMMzxqaluSbiiL
EO0gXJncDrhmVH0W/flrSu7CoDAcCU35ggPc3wtIoqLGidUi3HriotL4b1x0d04+
TcF1uUI6RqTjyCO9eheXH0GJeFoY3ocfTpdasNqLjzVv3mvJyQlc0S9O0dxfygi8
5NOTmw==
=LJBd
-----END PGP PUBLIC KEY BLOCK-----
`,
});

const version = new quarterdeck.workspaces.RegistryProviderVersion("harbor-1.4.0", {
  name: harbor.name,
  version: "1.4.0",
  keyId: releases.keyId,
  protocols: ["5.0"],
  shasumsFile: "release/terraform-provider-harbor_1.4.0_SHA256SUMS",
  signatureFile: "release/terraform-provider-harbor_1.4.0_SHA256SUMS.sig",
});

new quarterdeck.workspaces.RegistryProviderPlatform("harbor-1.4.0-linux", {
  name: harbor.name,
  version: version.version,
  os: "linux",
  arch: "amd64",
  file: "release/terraform-provider-harbor_1.4.0_linux_amd64.zip",
});
